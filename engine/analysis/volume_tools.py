"""The seven tools of the volume agent, and the one it has in fast: all take batches, all work on the ledger only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.analysis.evidence import Desk
from engine.analysis.ledger import Form, Ledger, Line, Note, Point, end_of
from engine.domain.knowledge import PointKind
from engine.domain.locator import Pos
from engine.domain.models import Json
from engine.providers.protocols import ToolCall, ToolSpec
from engine.text.fold import fold_words
from engine.text.sanitize import sanitize
from engine.text.tokens import estimate_tokens

_MOST_QUERIES = 8
_MOST_PASSAGES = 4
_PASSAGE_CHARS = 400
_RESULT_TOKENS = 3_000
_LONGEST_NAME = 80
_LONGEST_SENTENCE = 600


def _object(**properties: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"type": "object", "properties": properties, "required": list(properties)[:1]}


def _list(of: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"type": "array", "items": of}


_STRING: Mapping[str, Json] = {"type": "string"}
_NOTES = _list({"type": "integer"})
_SENTENCES = _list(_object(text=_STRING, notes=_NOTES))
_CREATED = _list(_object(name=_STRING, kind={"type": "string", "enum": list(PointKind)}, notes=_NOTES))
_APPENDED = _list(_object(key=_STRING, notes=_NOTES, merge=_list(_STRING)))
_ALIASES = _list(_object(key=_STRING, form=_STRING, note={"type": "integer"}))
_SUMMARY: Mapping[str, Mapping[str, Json]] = {
    "volume": _SENTENCES,
    "chapters": _list(_object(chapter={"type": "integer"}, sentences=_SENTENCES)),
    "no_story": _list({"type": "integer"}),
    "discard": _NOTES,
}

TOOLS: tuple[ToolSpec, ...] = (
    ToolSpec(
        "get_knowledge_points", "Read points with every note of all volumes so far.", _object(keys=_list(_STRING))
    ),
    ToolSpec(
        "create_knowledge_points",
        "Make points and move notes to them.",
        _object(points=_CREATED),
    ),
    ToolSpec(
        "append_knowledge_points",
        "Move notes to points, and merge points that are one and the same.",
        _object(points=_APPENDED),
    ),
    ToolSpec(
        "add_point_aliases",
        "Give points further names that stand in the passage of a note.",
        _object(aliases=_ALIASES),
    ),
    ToolSpec(
        "search_original_text",
        "Find passages of the story so far that hold some words.",
        _object(queries=_list(_STRING)),
    ),
    ToolSpec("search_wiki", "Find notes of all volumes so far that hold some words.", _object(queries=_list(_STRING))),
    ToolSpec(
        "submit_volume_summary",
        "End: the summaries, the chapters that are no story, the notes to discard.",
        _object(**_SUMMARY),
    ),
)
ALL_IN_ONE = ToolSpec(
    "submit_volume_summary",
    "Your answer: the summaries, the chapters that are no story, the notes to discard, what is to be moved and named.",
    _object(**_SUMMARY, append=_APPENDED, create=_CREATED, aliases=_ALIASES),
)
"""For whoever is asked once only."""


@dataclass(slots=True)
class VolumeTools:
    """The tools at work on one volume."""

    ledger: Ledger
    desk: Desk
    volume: int
    first_new: int
    """Number of the first note of this volume."""
    end: Pos
    """Of the volume: nothing beyond it is searched."""
    is_submitted: bool = False
    read: set[int] = field(default_factory=set)
    """Numbers of the points that were read."""
    faults: int = 0

    def run(self, call: ToolCall) -> str:
        """Carry a call out and return what the model is told. Never raises; nonsense is answered with a sentence."""
        does = _DOES.get(call.name)
        if call.fault or does is None:
            self.faults += 1
            return call.fault or f"There is no tool {call.name}."
        return sanitize(_cut(does(self, call.arguments), _RESULT_TOKENS))

    def count_shown_as_read(self) -> None:
        """Let points with notes of this volume be appended to at once, by who cannot read those of earlier ones."""
        self.read |= {note.point for note in self.ledger.notes[self.first_new - 1 :]}

    # What may be named

    def _point(self, key: object) -> Point | None:
        return self.ledger.by_key(str(key).strip().lower())

    def _new_notes(self, numbers: object) -> list[Note]:
        """Return the notes of this volume among some numbers."""
        wanted = [n for n in _list_of(numbers) if isinstance(n, int) and self.first_new <= n <= len(self.ledger.notes)]
        return [self.ledger.notes[n - 1] for n in dict.fromkeys(wanted)]

    def _notes(self, numbers: object) -> list[Note]:
        wanted = [n for n in _list_of(numbers) if isinstance(n, int) and 1 <= n <= len(self.ledger.notes)]
        return [self.ledger.notes[n - 1] for n in dict.fromkeys(wanted)]

    # The tools

    def _get_points(self, arguments: Mapping[str, Json]) -> str:
        lines = []
        for key in _list_of(arguments.get("keys")):
            point = self._point(key)
            if point is None:
                lines.append(f"{key}: no such point")
                continue
            self.read.add(point.number)
            lines.append(point_line(point))
            lines += [note_line(note) for note in self.ledger.notes_of(point.number)]
        return "\n".join(lines) or "no keys given"

    def _create_points(self, arguments: Mapping[str, Json]) -> str:
        told = []
        for each in _objects(arguments.get("points")):
            name = str(each.get("name", "")).strip()[:_LONGEST_NAME]
            notes = self._new_notes(each.get("notes"))
            kind = next((kind for kind in PointKind if kind == each.get("kind")), None)
            if not name or not notes or kind is None:
                self.faults += 1
                told.append(f"{name or '(no name)'}: needs a name, a kind and notes of this volume")
                continue
            known = self.ledger.called(kind, [name])
            found = tuple(evidence for note in notes[:1] for evidence in note.found)
            point = known or self.ledger.add_point(kind, name, [Form(name, end_of(found), found)])
            _move(notes, point)
            told.append(f"{point.key} {name}: {len(notes)} notes")
        return "\n".join(told) or "no points given"

    def _append_points(self, arguments: Mapping[str, Json]) -> str:
        told = []
        for each in _objects(arguments.get("points")):
            point = self._point(each.get("key"))
            if point is None:
                self.faults += 1
                told.append(f"{each.get('key')}: no such point")
            elif self._is_old(point) and point.number not in self.read:
                told.append(f"{point.key}: is of an earlier volume; read it first with get_knowledge_points")
            else:
                notes = self._new_notes(each.get("notes"))
                _move(notes, point)
                merged = [other for key in _list_of(each.get("merge")) if (other := self._mergeable(key, point))]
                for other in merged:
                    self.ledger.merge(other, point)
                told.append(f"{point.key}: {len(notes)} notes, {len(merged)} merged")
        return "\n".join(told) or "no points given"

    def _mergeable(self, key: object, into: Point) -> Point | None:
        """Return a point that may go into another: of the same kind, and with a name that shares something with its."""
        other = self._point(key)
        if other is None or other.number == into.number or other.kind is not into.kind:
            return None
        is_joined = {frozenset((i.a, i.b)) for i in self.ledger.identities}
        if frozenset((other.number, into.number)) in is_joined:
            return None
        pairs = ((a.form, b.form) for a in other.forms for b in into.forms)
        return other if any(_are_alike(a, b) for a, b in pairs) else None

    def _is_old(self, point: Point) -> bool:
        notes = self.ledger.notes_of(point.number)
        return bool(notes) and notes[0].number < self.first_new

    def _add_aliases(self, arguments: Mapping[str, Json]) -> str:
        told = []
        for each in _objects(arguments.get("aliases")):
            point, form = self._point(each.get("key")), str(each.get("form", "")).strip()
            notes = self._new_notes([each.get("note")])
            found = notes[0].found if notes else ()
            if point is None or not form or not any(form in self.desk.block_text(e) for e in found):
                self.faults += 1
                told.append(f"{form}: does not stand in the passage of that note")
            elif form not in {known.form for known in point.forms}:
                point.forms.append(Form(form, end_of(found), found))
                told.append(f"{point.key}: {form}")
        return "\n".join(told) or "nothing new"

    def _search_text(self, arguments: Mapping[str, Json]) -> str:
        lines = []
        for query in _list_of(arguments.get("queries"))[:_MOST_QUERIES]:
            wanted = fold_words(str(query)).strip()
            if len(wanted) < 2:
                continue
            found = list(self.desk.holding(wanted, self.end, _MOST_PASSAGES))
            lines.append(f"{query}: {len(found)} passages" if found else f"{query}: not found")
            lines += [f"| {text[:_PASSAGE_CHARS]}" for text in found]
        return "\n".join(lines) or "no queries given"

    def _search_notes(self, arguments: Mapping[str, Json]) -> str:
        lines = []
        for query in _list_of(arguments.get("queries"))[:_MOST_QUERIES]:
            wanted = fold_words(str(query)).strip()
            found = [n for n in self.ledger.notes if wanted and wanted in fold_words(n.text)][:_MOST_PASSAGES]
            lines.append(f"{query}: {len(found)} notes")
            lines += [f"k{note.point} n{note.number} {note.text}" for note in found]
        return "\n".join(lines) or "no queries given"

    def _submit(self, arguments: Mapping[str, Json]) -> str:
        # In fast these come with the summary. Aliases first: a note is held against its own passage wherever it stands.
        self._add_aliases(arguments)
        self._append_points({"points": arguments.get("append")})
        self._create_points({"points": arguments.get("create")})
        summary = list(self._sentences(arguments.get("volume")))
        if not summary:
            self.faults += 1
            return "The volume needs sentences, each with the numbers of the notes it rests on."
        self.ledger.summaries[self.volume] = summary
        for each in _objects(arguments.get("chapters")):
            number = each.get("chapter")
            lines = list(self._sentences(each.get("sentences")))
            if isinstance(number, int) and (self.volume, number - 1) in self.ledger.chapters and lines:
                self.ledger.chapter(self.volume, number - 1).summary = lines
        for chapter in _list_of(arguments.get("no_story")):
            if isinstance(chapter, int) and (self.volume, chapter - 1) in self.ledger.chapters:
                self.ledger.chapter(self.volume, chapter - 1).is_story = False
        for note in self._new_notes(arguments.get("discard")):
            note.is_discarded = True
        self.is_submitted = True
        return "Thank you."

    def _sentences(self, given: object) -> Iterator[Line]:
        for each in _objects(given):
            text = str(each.get("text", "")).strip()
            notes = [note for note in self._notes(each.get("notes")) if note.volume == self.volume]
            if text and len(text) <= _LONGEST_SENTENCE and notes:
                yield Line(text, tuple(dict.fromkeys(evidence for note in notes for evidence in note.found)))
            else:
                self.faults += 1


def point_line(point: Point) -> str:
    """Return a point as the model sees it: key, kind, names."""
    return f"{point.key} {point.kind} {' / '.join(form.form for form in point.forms)}"


def note_line(note: Note) -> str:
    """Return a note as the model sees it: number, chapter, words."""
    return f"-n{note.number} (c{note.chapter + 1}) {note.text}"


def _move(notes: Sequence[Note], point: Point) -> None:
    for note in notes:
        note.point = point.number


def _are_alike(a: str, b: str) -> bool:
    """Say whether two names may be spellings of one: equal when folded, or one holds the other as whole words."""
    x, y = fold_words(a).replace("·", " "), fold_words(b).replace("·", " ")
    return x == y or set(x.split()) <= set(y.split()) or set(y.split()) <= set(x.split())


def _list_of(given: object) -> list[object]:
    return list(given) if isinstance(given, Sequence) and not isinstance(given, str) else []


def _objects(given: object) -> list[Mapping[str, Json]]:
    return [each for each in _list_of(given) if isinstance(each, Mapping)]


def _cut(text: str, most_tokens: int) -> str:
    while estimate_tokens(text) > most_tokens:
        text = text[: int(len(text) * 0.8)] + "\n(cut)"
    return text


_DOES: dict[str, Callable[[VolumeTools, Mapping[str, Json]], str]] = {
    "get_knowledge_points": VolumeTools._get_points,
    "create_knowledge_points": VolumeTools._create_points,
    "append_knowledge_points": VolumeTools._append_points,
    "add_point_aliases": VolumeTools._add_aliases,
    "search_original_text": VolumeTools._search_text,
    "search_wiki": VolumeTools._search_notes,
    "submit_volume_summary": VolumeTools._submit,
}
