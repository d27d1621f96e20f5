"""Make what git does not hold, whenever a wheel, an sdist or an editable install is made: sample books, catalogues."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface[Any]):  # Any: the hook serves every kind of build
    """Write `engine/samples/*.epub` and `engine/locale/**/*.mo` before hatchling collects the files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build each folder of `engine/samples` that holds a `series.toml`, and compile each catalogue.

        Args:
            version: "standard" or "editable"; both need what is made here.
            build_data: Left as it is; the artifacts are named in pyproject.toml.

        Raises:
            ValueError: A series folder cannot be built, or a catalogue cannot be read.
        """
        engine = Path(self.root, "engine")
        build = _module(engine / "samples" / "build.py")
        for source in sorted(engine.glob("samples/*/series.toml")):
            build.build_series(source.parent, engine / "samples")
        _module(engine / "locale" / "compile.py").compile_catalogues(engine / "locale")


def _module(path: Path) -> ModuleType:
    # By path: `import engine` could find an older UnderStory in site-packages, or none.
    name = f"_understory_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up by name
    spec.loader.exec_module(module)
    return module
