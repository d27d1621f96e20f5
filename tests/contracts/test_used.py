"""Nothing in the program is there for its tests alone: whatever has a name is named by the program too.

Names are compared as words, so a method counts as used where another of the same name is. What the program never names
must be what Textual, or another package it stands on, looks for by itself.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from textual.message import Message

from tests.commands import CHECKOUT

_ROOMS = ("engine", "tui", "themes")
_PATHS = [path for room in _ROOMS for path in sorted((CHECKOUT / room).rglob("*.py"))]
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_CALLED_FROM_OUTSIDE = {
    "engine.build_hook BuildHook": "hatchling takes the one class of its kind that the file has",
}


@dataclass(frozen=True)
class _Defined:
    module: str
    name: str
    """Dotted, within the module."""
    node: ast.stmt

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]

    def __str__(self) -> str:
        return f"{self.module} {self.name}"


def _module_of(path: Path) -> str:
    return ".".join(path.relative_to(CHECKOUT).with_suffix("").parts).removesuffix(".__init__")


@cache
def _tree(path: Path) -> ast.Module:
    """Return a file's tree without its docstrings, which name much that is not called."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED):
            node.body = [each for each in node.body if not _is_words(each)]
    return tree


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _named(node: ast.AST) -> Iterator[str]:
    """Yield what a piece of code calls by name: itself, as an attribute, as an argument's name, or as a string."""
    for each in ast.walk(node):
        match each:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name, asname=str()):
                yield name
            case ast.MatchClass(kwd_attrs=names):
                yield from names
            case ast.Constant(value=str(text)) if text.isidentifier():
                yield text
            case _:
                pass


def _definitions(module: str, body: list[ast.stmt], inside: str = "") -> Iterator[_Defined]:
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            yield from _definitions(module, node.body, inside)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = inside + node.name
            yield _Defined(module, name, node)
            if isinstance(node, ast.ClassDef) and not any("Enum" in ast.unparse(base) for base in node.bases):
                yield from _definitions(module, node.body, f"{name}.")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield _Defined(module, inside + target.id, node)


@cache
def _action_words() -> frozenset[str]:
    """Return the words of strings that may name actions: "leave", "move(1)", "app.quit"."""
    strings = [
        node.value
        for path in _PATHS
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return frozenset(found[1] for text in strings if (found := re.fullmatch(r"(?:\w+\.)?(\w+)(?:\(.*\))?", text)))


@cache
def _handlers() -> frozenset[str]:
    """Return the names of the methods to which Textual hands each kind of message."""
    for path in _PATHS:
        if path.relative_to(CHECKOUT).parts[0] == "tui" and path.stem != "__main__":
            importlib.import_module(_module_of(path))
    kinds = Message.__subclasses__()
    for kind in kinds:
        kinds += kind.__subclasses__()
    return frozenset(kind.handler_name for kind in kinds)


def _is_looked_for(found: _Defined) -> bool:
    """Say whether a package the program stands on calls it by itself."""
    holder, _dot, name = found.name.rpartition(".")
    if str(found) in _CALLED_FROM_OUTSIDE or re.fullmatch(r"__\w+__|_", name):
        return True
    if not holder:
        return False
    kind: object = importlib.import_module(found.module)
    for part in holder.split("."):
        kind = getattr(kind, part)
    assert isinstance(kind, type)
    others = [base for base in kind.__mro__ if base.__module__.partition(".")[0] not in _ROOMS]
    return (
        any(name in vars(base) for base in others)
        or name in _handlers()
        or hasattr(vars(kind)[name], "_textual_on")
        or (name.startswith("action_") and name.removeprefix("action_") in _action_words())
        or (name.startswith("watch_") and name.removeprefix("watch_") in getattr(kind, "_reactives", ()))
    )


def test_whatever_has_a_name_is_named_by_the_program() -> None:
    here = {_module_of(path): Counter(_named(_tree(path))) for path in _PATHS}
    everywhere = sum(here.values(), Counter[str]())
    unnamed = [
        found
        for path in _PATHS
        for found in _definitions(_module_of(path), _tree(path).body)
        # What another file names is used; of the rest it is seen whether it is more than what it says of itself.
        if everywhere[found.last] == here[found.module][found.last]
        and everywhere[found.last] == Counter(_named(found.node))[found.last]
    ]
    assert [str(found) for found in unnamed if not _is_looked_for(found)] == []
