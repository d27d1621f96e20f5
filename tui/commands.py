"""What each action and each typed command does to the reading screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from engine.domain.locator import Locator
from engine.translate import _
from tui.render.tabs import Tab
from tui.screens.reading import ReadingScreen

_Act = Callable[[ReadingScreen, int | None], None]


def run_action(screen: ReadingScreen, action: str, count: int | None) -> bool:
    """Do an action on the screen. Returns False when it is not one of the page's own.

    Args:
        screen: The page.
        action: Id from `tui.keys`.
        count: Number typed before the key; None when there was none.
    """
    act = _ACTS.get(action)
    if act is not None:
        act(screen, count)
    return act is not None


def run_command(screen: ReadingScreen, typed: str) -> bool:
    """Do what was typed after ":" -- "50%", "page 212", "chapter 3", "volume 2", "frontier here", "search lamp oil".

    Returns:
        False when the words are no command; the reader was told.
    """
    words = typed.strip()
    if not words:
        return True
    for pattern, act in _COMMANDS:
        match = pattern.fullmatch(words)
        if match is not None:
            act(screen, match[1])
            return True
    screen.notice(
        _("No such command: {words}. Try page 212, chapter 3, volume 2, 50%, frontier here, search words.").format(
            words=words
        )
    )
    return False


def _rows(direction: int) -> _Act:
    return lambda screen, count: screen.text.move_rows(direction * (count or 1))


def _pages(direction: int) -> _Act:
    return lambda screen, count: screen.text.page_on(direction * (count or 1))


def _halves(direction: int) -> _Act:
    def half(screen: ReadingScreen, count: int | None) -> None:
        screen.text.move_rows(direction * (count or 1) * max(1, screen.text.page_rows // 2))

    return half


def _paragraphs(direction: int) -> _Act:
    def paragraphs(screen: ReadingScreen, count: int | None) -> None:
        for _each in range(min(count or 1, 500)):
            screen.text.paragraph_on(direction)

    return paragraphs


def _chapters(direction: int) -> _Act:
    def chapters(screen: ReadingScreen, count: int | None) -> None:
        pos, found = screen.pos, None
        for _each in range(min(count or 1, 10_000)):
            chapter = screen.session.index.chapter_from(pos, direction)
            if chapter is None:
                break
            found, pos = chapter, chapter.pos
        if found is not None:
            screen.jump(found.document, found.offset, is_step=direction > 0 and (count or 1) == 1)
        else:
            screen.notice(_("This is the last chapter.") if direction > 0 else _("This is the first chapter."))

    return chapters


def _volumes(direction: int) -> _Act:
    def volumes(screen: ReadingScreen, _count: int | None) -> None:
        volume = screen.session.index.volume_from(screen.pos, direction)
        if volume is not None:
            screen.jump_to_pos(volume.ord << 40)
        else:
            screen.notice(_("This is the last volume.") if direction > 0 else _("This is the first volume."))

    return volumes


def _chapter_edge(is_end: bool) -> _Act:
    def edge(screen: ReadingScreen, _count: int | None) -> None:
        chapter = screen.session.index.chapter_at(screen.pos)
        if chapter is None:
            screen.jump_to_pos(screen.pos >> 40 << 40)
        elif is_end:
            screen.jump_to_pos(max(chapter.pos, chapter.pos_end - 1))
        else:
            screen.jump(chapter.document, chapter.offset)

    return edge


def _percent(screen: ReadingScreen, count: int | None) -> None:
    if count is None:
        screen.notice(_("Type a number first: 50%"))
    else:
        screen.jump_to_pos(screen.session.index.pos_at_work_share(count / 100))


def _history(direction: int) -> _Act:
    def go(screen: ReadingScreen, count: int | None) -> None:
        for _each in range(min(count or 1, 100)):
            if not screen.walk_trail(direction):
                screen.notice(_("No jump to go back to.") if direction < 0 else _("No jump to go forward to."))
                return

    return go


def _focus_link(direction: int) -> _Act:
    return lambda screen, count: screen.focus_link(direction * (count or 1))


def _hits(direction: int) -> _Act:
    return lambda screen, count: screen.step_hit(direction * (count or 1))


def _tab(tab: Tab) -> _Act:
    return lambda screen, _count: screen.open_tab(tab)


_ACTS: Mapping[str, _Act] = {
    "line-down": _rows(1),
    "line-up": _rows(-1),
    "page-down": _pages(1),
    "page-up": _pages(-1),
    "half-down": _halves(1),
    "half-up": _halves(-1),
    "paragraph-down": _paragraphs(1),
    "paragraph-up": _paragraphs(-1),
    "chapter-next": _chapters(1),
    "chapter-previous": _chapters(-1),
    "volume-next": _volumes(1),
    "volume-previous": _volumes(-1),
    "chapter-start": _chapter_edge(is_end=False),
    "chapter-end": _chapter_edge(is_end=True),
    "percent": _percent,
    "back": _history(-1),
    "forward": _history(1),
    "link-next": _focus_link(1),
    "link-previous": _focus_link(-1),
    "open": lambda screen, _count: screen.open_link(),
    "search": lambda screen, _count: screen.start_search(),
    "search-next": _hits(1),
    "search-previous": _hits(-1),
    "search-work": _tab(Tab.SEARCH),
    "search-full": lambda screen, _count: screen.open_search(),
    "mark-set": lambda screen, _count: screen.ask_letter(is_to_set=True),
    "mark-go": lambda screen, _count: screen.ask_letter(is_to_set=False),
    "bookmark": lambda screen, _count: screen.toggle_bookmark(),
    "marks": lambda screen, _count: screen.toggle_marks(),
    "notes": lambda screen, _count: screen.show_notes(),
    "note-first": lambda screen, _count: screen.open_first_highlight(),
    "select": lambda screen, _count: screen.start_selection(),
    "look-up": lambda screen, _count: screen.look_up(),
    "contents": lambda screen, _count: screen.toggle_left("contents"),
    "sidebar": lambda screen, _count: screen.toggle_sidebar(),
    "glance": _tab(Tab.GLANCE),
    "wiki": _tab(Tab.WIKI),
    "wiki-full": lambda screen, _count: screen.open_wiki(),
    "chat": lambda screen, _count: screen.open_chat(),
    "chat-full": lambda screen, _count: screen.open_whole_chat(),
    "recap": lambda screen, _count: screen.tell_story(),
    "next-pane": lambda screen, _count: screen.focus_pane(1),
    "previous-pane": lambda screen, _count: screen.focus_pane(-1),
    "wider": lambda screen, count: screen.change_column(2 * (count or 1)),
    "narrower": lambda screen, count: screen.change_column(-2 * (count or 1)),
    "width-reset": lambda screen, _count: screen.change_column(None),
    "zen": lambda screen, _count: screen.toggle_zen(),
    "picture": lambda screen, _count: screen.open_picture(),
    "ruby": lambda screen, _count: screen.cycle_ruby(),
}


def _go_to_percent(screen: ReadingScreen, number: str) -> None:
    screen.jump_to_pos(screen.session.index.pos_at_work_share(float(number) / 100))


def _go_to_page(screen: ReadingScreen, label: str) -> None:
    page = screen.session.index.page_called(label, screen.pos)
    if page is not None:
        screen.jump(page.document, page.offset)
    elif not screen.session.index.pages:
        screen.notice(_("This edition has no printed page numbers."))
    else:
        screen.notice(_("There is no printed page {label}.").format(label=label))


def _go_to_chapter(screen: ReadingScreen, number: str) -> None:
    index = screen.session.index
    volume = index.volume_at(screen.pos)
    chapters = volume.chapters if volume is not None else ()
    if 1 <= int(number) <= len(chapters):
        chapter = chapters[int(number) - 1]
        screen.jump(chapter.document, chapter.offset)
    else:
        screen.notice(_("This volume has chapters 1 to {last}.").format(last=len(chapters)))


def _go_to_volume(screen: ReadingScreen, number: str) -> None:
    volumes = screen.session.index.outline.volumes
    if 1 <= int(number) <= len(volumes):
        screen.jump_to_pos(volumes[int(number) - 1].ord << 40)
    else:
        screen.notice(_("This work has volumes 1 to {last}.").format(last=len(volumes)))


def _set_frontier(screen: ReadingScreen, _here: str) -> None:
    screen.count_as_read()


def _tell_story(screen: ReadingScreen, words: str) -> None:
    number = int(words) if words.isdecimal() else None
    if number is None:
        screen.tell_story(is_last_time=bool(words))
        return
    volume = screen.session.index.volume_at(screen.pos)
    chapters = volume.chapters if volume is not None else ()
    if 1 <= number <= len(chapters):
        chapter = chapters[number - 1]
        screen.tell_story(since=Locator(chapter.document, chapter.offset, chapter.offset))
    else:
        screen.notice(_("This volume has chapters 1 to {last}.").format(last=len(chapters)))


def _search_work(screen: ReadingScreen, words: str) -> None:
    screen.search_work(words)


_COMMANDS: tuple[tuple[re.Pattern[str], Callable[[ReadingScreen, str], None]], ...] = (
    (re.compile(r"(\d{1,3}(?:\.\d+)?)\s*%"), _go_to_percent),
    (re.compile(r"(?:page|p)\s+(\S+)"), _go_to_page),
    (re.compile(r"(?:chapter|ch|c)\s+(\d{1,6})"), _go_to_chapter),
    (re.compile(r"(?:volume|vol|v)\s+(\d{1,6})"), _go_to_volume),
    (re.compile(r"(?:frontier|read)\s+(here)"), _set_frontier),
    (re.compile(r"(?:search|find)\s+(.+)"), _search_work),
    (re.compile(r"(?:recap|story)(?:\s+(?:since\s+)?(last|\d{1,6}))?"), lambda s, words: _tell_story(s, words or "")),
)
