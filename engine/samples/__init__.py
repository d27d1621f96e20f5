"""The sample series that come with UnderStory, built into every installation."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from engine.errors import SamplesMissingError


def sample_paths(series: str = "ashfall") -> tuple[Path, ...]:
    """Return the EPUBs of a sample series in reading order.

    Args:
        series: Slug of the series, the stem of its files.

    Raises:
        SamplesMissingError: The books were not built into this installation.
    """
    folder = Path(str(files("engine.samples")))
    built = sorted(folder.glob(f"{series}-*.epub"), key=_volume_number)
    if not built:
        raise SamplesMissingError(folder)
    return tuple(built)


def sample_pack(series: str = "ashfall") -> Path | None:
    """Return the knowledge pack of a sample series, None where it has none."""
    path = Path(str(files("engine.samples"))) / f"{series}.pack"
    return path if series.isalnum() and path.is_file() else None


def sample_series_of(path: Path) -> str | None:
    """Return the sample series a file is a volume of, None for any other file."""
    is_volume = path.suffix == ".epub" and path.parent.resolve() == Path(str(files("engine.samples"))).resolve()
    return path.stem.rpartition("-")[0] if is_volume else None


def _volume_number(path: Path) -> int:
    # By number, so that a tenth volume does not come before the second.
    return int(path.stem.rpartition("-")[2])
