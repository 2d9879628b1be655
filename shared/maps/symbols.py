"""The signs of special territories, drawn without fonts so that they look the same everywhere."""

from __future__ import annotations

SPECIAL_NAMES = {
    "high_ground": "High Ground",
    "low_ground": "Low Ground",
    "fortified": "Fortified",
    "no_cover": "No Cover",
    "medical": "Medical",
    "radioactive": "Radioactive",
    "transport": "Transport",
}

# Each within the square from -10 to 10; what is not said is filled black without a line.
_SIGNS = {
    "high_ground": '<path d="M0 -6L7 6H-7Z"/>',
    "low_ground": '<path d="M0 6L7 -6H-7Z"/>',
    "fortified": '<path d="M-6 6V-6H-3V-3H-1.5V-6H1.5V-3H3V-6H6V6Z"/>',
    "no_cover": '<circle r="5" fill="none" stroke="#000" stroke-width="2"/>',
    "medical": '<path d="M-2.2 -6.5H2.2V-2.2H6.5V2.2H2.2V6.5H-2.2V2.2H-6.5V-2.2H-2.2Z"/>',
    "radioactive": (
        '<circle r="1.8"/><path d="M1.6 -2.8L3.6 -6.3A7.2 7.2 0 0 1 7.2 0H3.2A3.2 3.2 0 0 0 1.6 -2.8Z'
        "M-1.6 -2.8L-3.6 -6.3A7.2 7.2 0 0 0 -7.2 0H-3.2A3.2 3.2 0 0 1 -1.6 -2.8Z"
        'M1.6 2.8L3.6 6.3A7.2 7.2 0 0 1 -3.6 6.3L-1.6 2.8A3.2 3.2 0 0 0 1.6 2.8Z"/>'
    ),
    "transport": '<path d="M-7 0L-2.5 -4.5V-1.5H2.5V-4.5L7 0L2.5 4.5V1.5H-2.5V4.5Z"/>',
}


def sign(special: str, x: int, y: int, size: int) -> str:
    """Return a special's sign on a white disc of diameter `size` with its centre at (x, y)."""
    scale = f"{size // 20}.{size % 20 * 5:02d}"
    return (
        f'<g transform="translate({x} {y}) scale({scale})" stroke="none">'
        f'<circle r="9.5" fill="#fff" stroke="#000" stroke-width="1"/>{_SIGNS[special]}</g>'
    )
