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

PIECES = {
    "disc": '<circle r="6"/>',
    "square": '<path d="M-5.5 -5.5H5.5V5.5H-5.5Z"/>',
    "diamond": '<path d="M0 -8L8 0L0 8L-8 0Z"/>',
    "star": '<path d="M0 -9L2.6 -3.2L9 -2.6L4.2 1.7L5.6 8L0 4.6L-5.6 8L-4.2 1.7L-9 -2.6L-2.6 -3.2Z"/>',
    "factory": '<path d="M-8 7V-7H-4V-1L1 -4V-1L6 -4H8V7Z"/>',
    "ship": '<path d="M-9 1H9L6 7H-6Z M-1 -1V-8L6 -1Z"/>',
    "house": '<path d="M-7 7V-1L0 -8L7 -1V7Z"/>',
}
"""What stands in places, and what distinguishes them, by name; each within the square from -10 to 10, filled black."""


def piece(name: str, x: int, y: int, size: int) -> str:
    """Return a sign of `PIECES` as high as `size` with its centre at (x, y)."""
    return f'<g transform="translate({x} {y}) scale({_scale(size)})" stroke="none">{PIECES[name]}</g>'


def sign(special: str, x: int, y: int, size: int) -> str:
    """Return a special's sign on a white disc of diameter `size` with its centre at (x, y)."""
    return (
        f'<g transform="translate({x} {y}) scale({_scale(size)})" stroke="none">'
        f'<circle r="9.5" fill="#fff" stroke="#000" stroke-width="1"/>{_SIGNS[special]}</g>'
    )


def _scale(size: int) -> str:
    """What makes 20 units this size."""
    return f"{size // 20}.{size % 20 * 5:02d}"
