"""Ask the companion and have a selection explained: the part of the reading screen that leads to what does it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.events import Paste

from engine.config import Settings
from engine.errors import UnderstoryError, shown_path
from engine.translate import _
from tui.messages import WorkFailed
from tui.render.tabs import Tab
from tui.screens.page_notes import PageNotes
from tui.session import ReadingSession
from tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from engine.domain.chat import TurnId
    from engine.domain.conversations import Attachment, ConversationId, Layer
    from engine.domain.locator import Locator, Pos
    from engine.domain.notes import ShownNote
    from engine.domain.wiki import Page, PointId
    from engine.library import Library
    from tui.render.selection import Selection
    from tui.screens.chat_control import ChatControl
    from tui.screens.explain_control import ExplainControl
    from tui.screens.page_search import PageSearch
    from tui.screens.told_events import Done, TurnsTold
    from tui.widgets.chat_view import ChatView

# What asks and answers is imported when the chat is first opened.


class PageChat(PageNotes):
    """The part that talks with the companion."""

    def __init__(self, session: ReadingSession, settings: Settings, panels: str = "") -> None:
        super().__init__(session, settings, panels)
        self.library: Library | None = None
        """Whom questions are put to; set by whoever makes the screen."""
        self._made_chat: ChatControl | None = None
        self._made_explain: ExplainControl | None = None
        self._chat_of: ReadingSession | None = None
        """Whose work is talked about."""
        self._told_at: Pos = 0
        """The frontier, when the conversation was last looked at."""

    @property
    def _chat(self) -> ChatControl | None:
        """The conversation about the work that is read; None where there is no library to ask."""
        if self.library is None:
            return None
        if self._made_chat is None or self._chat_of is not self.session:
            from tui.screens.chat_control import ChatControl

            old, held = self._chat_of, self._made_chat.close() if self._made_chat is not None else []
            self._chat_of = self.session
            self.sidebar.chat.is_ascii = self.is_ascii
            self._made_chat = ChatControl(self, self.library, self.sidebar.chat)
            if old is not None and held:
                self._made_chat.go_on_from(held, old)
        return self._made_chat

    def show_outline(self) -> None:
        """Show another work, and offer to tell what came before if it was left long ago."""
        super().show_outline()
        library, session, work = self.library, self.session, self.here_in_words()[0]
        if library is None:
            return
        if self._made_chat is not None and self._made_chat.holds_questions:
            self._open_conversation()

        def look() -> None:
            from tui.screens.told_events import Done

            if library.is_recap_due(work):
                self.post_message(Done(lambda: self._offer_recap(session)))

        session.ask_first = look

    def _offer_recap(self, session: ReadingSession) -> None:
        if session is self.session:
            key = self.page_keys.key_of("recap").replace(" ", "")
            self.notice(_("It has been a while. {key} tells the story so far.").format(key=key), is_faint=True)

    def show_panels(self) -> None:
        """Bring the panels that are seen up to the page."""
        super().show_panels()
        if self.shows_tab(Tab.CHAT) and (self._made_chat is None or self._chat_of is not self.session):
            self._open_conversation()

    def _open_conversation(self) -> None:
        chat = self._chat
        if chat is not None:
            chat.open()

    # opening

    def open_chat(self) -> None:
        """Let the reader write a question beside the text; the entry she looks at goes with it."""
        page = self._wiki.page if self.focused is self._wiki_if_made() else None
        attachment = self._attachment_of(page) if page is not None else None
        self.open_tab(Tab.CHAT)
        chat = self._chat
        if chat is None:
            return
        chat.open()
        if attachment is not None:
            chat.attach(attachment)
        if self.sidebar.chat.waiting is None:
            self.sidebar.chat.write()

    def attach_note(self, shown: ShownNote) -> None:
        """Put a note beside the next question."""
        from engine.domain.conversations import Attachment, AttachmentKind
        from tui.screens.chat_reading import quoted_words

        words = shown.note.comment or (shown.note.anchor.quote.exact if shown.note.anchor is not None else "")
        work = shown.work if shown.work is not None else self.here_in_words()[0]
        self.open_chat()
        chat = self._chat
        if chat is not None:
            label = quoted_words(words)
            chat.attach(Attachment(AttachmentKind.NOTE, work, label, shown.locator, note_uid=shown.note.uid))

    def on_page_search_found_attached(self, event: PageSearch.FoundAttached) -> None:
        """Put something found beside the next question."""
        self.open_chat()
        chat = self._chat
        if chat is not None:
            chat.attach(event.attachment)

    def ask_about(self, page: Page) -> None:
        """Put an entry beside the next question."""
        attachment = self._attachment_of(page)
        self.open_chat()
        chat = self._chat
        if chat is not None and attachment is not None:
            chat.attach(attachment)

    def _wiki_if_made(self) -> object:
        return self.sidebar.wiki if self._made_sidebar is not None else self

    def _attachment_of(self, page: Page) -> Attachment | None:
        from engine.domain.conversations import Attachment, AttachmentKind

        if page.key.point is None or page.is_locked:
            return None
        return Attachment(AttachmentKind.ENTRY, self.here_in_words()[0], page.title, point=page.key.point)

    def entry_in_view(self) -> PointId | None:
        """Return whom the open entry is about; None while none is open."""
        if self._made_sidebar is None or not self.shows_tab(Tab.WIKI) or self._wiki.page is None:
            return None
        return self._wiki.page.key.point

    def open_whole_chat(self) -> None:
        """Show the conversation over the whole screen."""
        chat = self._chat
        if chat is None:
            return
        from tui.screens.chat import ChatScreen

        chat.open()
        screen = ChatScreen(chat, is_ascii=self.is_ascii)
        self.app.push_screen(screen, lambda _answer: chat.use_view(None))

    def hide_told_ahead(self) -> None:
        """Read the conversation anew when the frontier was set back: answers may tell of what lies ahead again."""
        has_gone_back = self.session.frontier < self._told_at
        self._told_at = self.session.frontier
        if has_gone_back and self._made_chat is not None:
            self._made_chat.read_anew()

    def leave_chat(self) -> None:
        """Close the chat over the whole screen, if it lies over the page."""
        from tui.screens.chat import ChatScreen

        screen = self.app.screen
        if isinstance(screen, ChatScreen):
            screen.dismiss(None)

    def tell_story(self, since: Locator | None = None, *, is_last_time: bool = False) -> None:
        """Have the story so far told: of the volume, of the last time she read, or from the start of a chapter on."""
        from engine.domain.conversations import RecapKind, RecapSpan

        self.open_tab(Tab.CHAT)
        chat = self._chat
        if chat is None:
            return
        kind = RecapKind.LAST_TIME if is_last_time else RecapKind.SINCE if since is not None else RecapKind.VOLUME
        chat.recap(RecapSpan(kind, since))

    def act_on_selection(self, action: str, selection: Selection) -> bool:
        """Ask about what is selected, or have it explained."""
        if action == "select-ask" and self.library is not None:
            self.select_nothing()
            self.open_chat()
            chat = self._chat
            if chat is not None:
                chat.attach_selection(selection.reach.locator)
            return True
        if action == "select-explain" and self.library is not None:
            self._selection_control.close_card()
            self._explain.explain(selection.reach)
            return True
        return super().act_on_selection(action, selection)

    # explaining

    @property
    def _explain(self) -> ExplainControl:
        if self._made_explain is None:
            from tui.screens.explain_control import ExplainControl

            assert self.library is not None, "nothing is explained before there is somebody to ask"
            self._made_explain = ExplainControl(self, self.library)
        return self._made_explain

    def selected_words(self) -> str:
        """Return what is selected, as far as it stands in one loaded piece of the text."""
        selection = self.selection
        if selection is None:
            return ""
        at = selection.reach.locator
        piece = self.text.piece_at(at.document, at.start)
        words = piece.text[at.start - piece.start : at.end - piece.start] if piece is not None else ""
        return " ".join(words.split())

    def takes_selection_key(self, key: str) -> bool:
        """Take a key for what is explained, else for the selection."""
        if self._made_explain is not None and self.selection is not None and self.focused in (None, self.page):
            if self._made_explain.take_key(key):
                return True
        elif self._made_explain is not None:
            self._made_explain.close()
        return super().takes_selection_key(key)

    @on(TextView.PageMoved)
    def _place_explained(self) -> None:
        if self._made_explain is not None:
            self._made_explain.place()

    def on_paste(self, event: Paste) -> None:
        """Put what was pasted into the line that asks for another angle."""
        if self._made_explain is not None and self._made_explain.paste(event.text):
            event.stop()

    def forget_selection(self) -> None:
        """Explain nothing, as for another work."""
        if self._made_explain is not None:
            self._made_explain.close()
        super().forget_selection()

    def on_selectable_text_pointed(self) -> None:
        """Explain no more what the pointer has left."""
        if self._made_explain is not None:
            self._made_explain.close()

    # what the conversation asks for

    def on_chat_view_wanted(self, event: ChatView.Wanted) -> None:
        """See to what the reader wants of the conversation."""
        chat = self._chat
        if chat is not None:
            chat.see_to(event.wish)

    def on_turns_told(self, event: TurnsTold) -> None:
        """Show what has come of a turn."""
        event.inbox.deliver()

    def on_done(self, event: Done) -> None:
        """Go on, now that the library has answered."""
        event.go_on()

    def list_conversations(self) -> None:
        """Show the conversations about the work, over the whole screen."""
        from tui.screens.chat_list import NEW, ChatListScreen
        from tui.widgets.chat_wishes import BeginAnew

        chat, library = self._chat, self.library
        if chat is None or library is None:
            return

        def opened(chosen: ConversationId | None) -> None:
            if chosen == NEW:
                chat.see_to(BeginAnew())
            elif chosen is not None:
                chat.open_conversation(chosen)

        work, title = self.here_in_words()
        self.app.push_screen(ChatListScreen(library, work, title), opened)

    def show_context(self, layers: tuple[Layer, ...], model: str) -> None:
        """Show what was sent, layer by layer."""
        from tui.modals.note_card import NoteCard
        from tui.render.context_rows import context_text

        self.app.push_screen(NoteCard(context_text(layers, model)))

    def export_conversation(self, conversation: ConversationId, leaf: TurnId | None) -> None:
        """Write a conversation as Markdown into the folder the program was started in."""
        chat, library = self._chat, self.library
        if chat is None or library is None:
            return

        def write() -> None:
            from tui.screens.chat_files import write_conversation

            try:
                file = write_conversation(library, conversation, leaf, Path.cwd())
            except UnderstoryError as error:
                self.post_message(WorkFailed(error))
                return
            said = _("Exported to {file}").format(file=shown_path(file))
            self.app.call_from_thread(chat.view.say, said)

        self.run_worker(write, thread=True, group="export", exit_on_error=False)

    def copy_words(self, words: str) -> None:
        """Copy an answer."""
        from tui.screens.copying import copy_words

        chat = self._chat
        if chat is not None and words:
            self.run_worker(
                lambda: self.app.call_from_thread(chat.view.say, copy_words(self.app, words)),
                thread=True, group="copy", exit_on_error=False,
            )  # fmt: skip
