"""What the processes of an installation have logged."""

from warledger.demo.installation import Installation


def logs_of(house: Installation) -> dict[str, str]:
    """File name -> everything logged so far."""
    folder = house.settings.keys.parent / "logs"
    return {path.name: path.read_text(errors="replace") for path in sorted(folder.glob("*.log"))}


def faults_logged(house: Installation) -> list[str]:
    """The lines that tell of a fault of a server."""
    return [
        f"{name}: {line}"
        for name, text in logs_of(house).items()
        for line in text.splitlines()
        if any(word in line for word in ("_failed", "Traceback", '"level": "error"'))
    ]
