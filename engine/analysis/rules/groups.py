"""Names on their way to clusters: join what is one, share what several bear."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from engine.analysis.rules.clusters import Link, NameCluster
from engine.domain.knowledge import AliasKind, PointKind
from engine.domain.locator import Pos


class NameGroups:
    """Forms of names, joined step by step; not thread-safe."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}
        self._kinds: dict[str, AliasKind] = {}
        self._links: list[Link] = []
        self._shared: dict[str, tuple[AliasKind, tuple[str, ...]]] = {}
        self._share_links: list[Link] = []

    def __contains__(self, form: str) -> bool:
        return form in self._parent

    def forms(self) -> list[str]:
        """Return all forms that are not shared, in the order they came."""
        return list(self._parent)

    def add(self, form: str, kind: AliasKind) -> None:
        """Add a form as a name of its own; one that is there keeps its kind."""
        self._parent.setdefault(form, form)
        self._kinds.setdefault(form, kind)

    def set_kind(self, form: str, kind: AliasKind) -> None:
        """Say anew how a form names its point."""
        self._kinds[form] = kind

    def kind_of(self, form: str) -> AliasKind:
        """Return how a form names its point."""
        return self._kinds[form]

    def join(self, form: str, other: str, pos: Pos = 0) -> None:
        """Make two forms that are there names of one point; `pos` is the end of the block that says so."""
        self._links.append(Link(form, other, pos))
        self._parent[self._root(form)] = self._root(other)

    def share(self, form: str, kind: AliasKind, bearers: Iterable[str], links: Iterable[Link] = ()) -> None:
        """Give a form to several points, the likeliest first; it is no longer a name of its own.

        Args:
            form: The form.
            kind: How it names them.
            bearers: A form of each of them.
            links: From the form to a bearer each, where the text states it.
        """
        self._shared[form] = (kind, tuple(bearers))
        self._share_links += links
        self._part(form)

    def _part(self, form: str) -> None:
        """Take a form out of its group; the others stay together."""
        if form not in self._parent:
            return
        others = [other for other in self.group_of(form) if other != form]
        del self._parent[form]
        self._parent.update(dict.fromkeys(others, others[0] if others else form))

    def is_shared(self, form: str) -> bool:
        """Say whether a form has been given to several points."""
        return form in self._shared

    def are_one(self, form: str, other: str) -> bool:
        """Say whether two forms that are there name one point."""
        return self._root(form) == self._root(other)

    def group_of(self, form: str) -> list[str]:
        """Return all forms of the point a form names."""
        root = self._root(form)
        return [other for other in self._parent if self._root(other) == root]

    def groups(self) -> dict[str, list[str]]:
        """Return for each form all forms of its point; one list a point."""
        by_root: dict[str, list[str]] = defaultdict(list)
        for form in self._parent:
            by_root[self._root(form)].append(form)
        return {form: forms for forms in by_root.values() for form in forms}

    def clusters(self, counts: Mapping[str, int], kind: PointKind = PointKind.PERSON) -> list[NameCluster]:
        """Return one cluster a point, most mentions first.

        Its name is the fullest form: a full name before any other, the most frequent of them.
        """
        groups: dict[str, list[str]] = defaultdict(list)
        for form in self._parent:
            groups[self._root(form)].append(form)
        shared: dict[str, list[str]] = defaultdict(list)
        for form, (_kind, bearers) in self._shared.items():
            for root in dict.fromkeys(self._root(bearer) for bearer in bearers):
                shared[root].append(form)
        links: dict[str, list[Link]] = defaultdict(list)
        for link in self._links:
            if link.a in self._parent:
                links[self._root(link.a)].append(link)
        for link in self._share_links:
            if link.b in self._parent:
                links[self._root(link.b)].append(link)
        ordered = sorted(groups, key=lambda root: -sum(counts.get(form, 0) for form in groups[root]))
        return [
            NameCluster(
                kind=kind,
                name=max(groups[root], key=lambda form: (self._rank(form), counts.get(form, 0), form)),
                forms={
                    **{form: self._kinds[form] for form in groups[root]},
                    **{form: self._shared[form][0] for form in shared[root]},
                },
                links=tuple(links[root]),
            )
            for root in ordered
        ]

    def _rank(self, form: str) -> int:
        return self._kinds[form] is AliasKind.FULL

    def _root(self, form: str) -> str:
        while self._parent[form] != form:
            form = self._parent[form]
        return form
