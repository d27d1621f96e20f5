"""The half of the library that finds by meaning: who makes vectors, how far they are, what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.domain.book import WorkId
from engine.domain.vectors import EmbedderChoice, EmbeddingCost, EmbeddingState, MeaningView
from engine.errors import UnderstoryError
from engine.errors.vectors import EmbedderMissingError
from engine.library.texts import Texts
from engine.store import works

# engine.store.vectors, engine.providers and what they need are imported where they are used: a session
# that never searches by meaning does without.

if TYPE_CHECKING:
    import threading

    from engine.domain.vectors import Vector
    from engine.providers.asking import QueryVectors
    from engine.store.connection import Connection
    from engine.store.vectors import VectorIndex

_DENSE = ("zh", "ja", "ko")
"""Languages written without spaces, or nearly so."""


class Meaning(Texts):
    """Vectors of a library. Those of passages are made by the helper, those of queries by a process of their own."""

    meaning_patience_s = 30.0
    """How long a search waits for the query's vector, which takes a second when it is the first. What is late goes by
    words; the same search finds by meaning too a moment later. Whoever searches while the reader types waits less."""

    _asking: QueryVectors | None = None
    _helper_lock: threading.Lock

    def embedder(self) -> EmbedderChoice:
        """Return whom the settings name at this moment."""
        from engine.providers.embedders import chosen_embedder

        return chosen_embedder(self.paths.config_file)

    def start_embedding(self, work: WorkId) -> tuple[int, ...]:
        """Queue what is missing of a work's vectors and return the jobs at once; the helper works on.

        Stopped by `cancel`, it goes on where it was when it is started again. What searches use now
        stays until the new vectors are whole.

        Raises:
            EmbedderUnchosenError: the settings name none.
            EmbedderUnknownError: they name one that does not exist.
            EmbedderMissingError: it is not installed.
            HelperUnavailableError: the jobs are queued, but nobody can be started to do them.
            WorkNotFoundError: there is no such work.
        """
        from engine.providers.embedder_names import identity_of
        from engine.store import jobs, vectors

        identity = identity_of(self.embedder())
        with self._store.write() as w:
            works.require(w, work)
            index = vectors.index_of(w, identity)
            ids = tuple(
                jobs.add_job(w, jobs.EMBED, str(book), name)
                for book, name in vectors.books_of(w, work)
                if index is None or not vectors.is_whole(w, index, book)
            )
        self._wake_helper()
        return ids

    # For the whole library

    def meaning(self) -> MeaningView:
        """Return how far the library can be found by meaning, by the embedder the settings name."""
        from engine.store import jobs, neighbours, vectors

        choice = self.embedder()
        identity, trouble = "", ""
        try:
            identity = self._identity_of(choice)
        except UnderstoryError as error:
            trouble = error.message
        with self._store.read() as r:
            wanted = vectors.index_of(r, identity) if identity else None
            counts = [vectors.counts(r, wanted, each.id) for each in works.summaries(r)]
            used = [neighbours.usable_index(r, each.id, identity) for each in works.summaries(r)] if identity else []
            is_making = bool(jobs.open_jobs(r, jobs.EMBED))
        serving = next((each.source for each in used if each is not None and each.embedder != identity), "")
        done = sum(done for _all, done in counts) if wanted else 0
        return MeaningView(
            choice.name, done, sum(all_ for all_, _done in counts), serving, is_making and bool(identity), trouble
        )

    def meaning_cost(self, choice: EmbedderChoice) -> EmbeddingCost:
        """Estimate what the vectors of the whole library would take by an embedder, whether or not it is set.

        Raises:
            EmbedderUnchosenError: it is none.
            EmbedderUnknownError: there is no such embedder.
            EmbedderMissingError: it is not installed.
        """
        from engine.providers.embedder_names import identity_of
        from engine.providers.embedders import cost_of
        from engine.store import vectors

        identity = identity_of(choice)
        costs = []
        with self._store.read() as r:
            index = vectors.index_of(r, identity)
            for work in works.summaries(r):
                missing = vectors.characters_missing(r, index, work.id)
                costs.append(cost_of(choice, *missing, is_dense=work.language[:2] in _DENSE))
        return EmbeddingCost(
            sum(cost.passages for cost in costs),
            sum(cost.characters for cost in costs),
            sum(cost.tokens for cost in costs),
            sum(cost.minutes for cost in costs),
            cost_of(choice, 0, 0, is_dense=False).host,
        )

    def use_embedder(self, choice: EmbedderChoice) -> None:
        """Let an embedder find by meaning from now on, none for nobody, and have what is missing in the library made.

        Whatever was being made by another is given up; what it has made serves until the new vectors are whole.

        Raises:
            EmbedderUnknownError: there is no such embedder.
            EmbedderMissingError: it is not installed.
            HelperUnavailableError: it is set, but nobody can be started to make vectors.
            SettingRefusedError: the configuration cannot be changed.
        """
        from engine.config import write_settings
        from engine.providers.embedder_names import identity_of
        from engine.store import jobs

        if not choice.is_none:
            identity_of(choice)
        write_settings(self.paths.config_file, {"embedder": choice.name, "embedder_key": choice.key_name})
        with self._store.write() as w:
            for job, _unit in jobs.open_jobs(w, jobs.EMBED):
                jobs.cancel_job(w, job)
        if not choice.is_none:
            for work in self.works():
                self.start_embedding(work.id)

    # Of one work

    def embedding_jobs(self, work: WorkId) -> tuple[int, ...]:
        """Return the jobs that make, or will make, vectors of a work."""
        from engine.store import jobs, vectors

        with self._store.read() as r:
            units = {str(book) for book, _name in vectors.books_of(r, work)}
            return tuple(id_ for id_, unit in jobs.open_jobs(r, jobs.EMBED) if unit in units)

    def _wake_helper(self) -> None:
        raise NotImplementedError

    def embedding_cost(self, work: WorkId) -> EmbeddingCost:
        """Estimate what the vectors of a work that are missing will take; raises like `start_embedding`."""
        from engine.providers.embedder_names import identity_of
        from engine.providers.embedders import cost_of
        from engine.store import vectors

        choice = self.embedder()
        identity = identity_of(choice)
        with self._store.read() as r:
            works.require(r, work)
            passages, characters = vectors.characters_missing(r, vectors.index_of(r, identity), work)
            language = works.language_of(r, work) or ""
        return cost_of(choice, passages, characters, is_dense=language[:2] in _DENSE)

    def embedding_state(self, work: WorkId) -> EmbeddingState:
        """Return how far a work can be found by meaning.

        Raises:
            EmbedderUnknownError: the settings name an embedder that does not exist.
            WorkNotFoundError: there is no such work.
        """
        from engine.store import neighbours, vectors

        identity = self._wanted_identity()
        with self._store.read() as r:
            works.require(r, work)
            wanted = vectors.index_of(r, identity) if identity else None
            used = neighbours.usable_index(r, work, identity)
            all_, done = vectors.counts(r, wanted, work)
        return EmbeddingState(
            used.source if used else "", used is not None and used.embedder == identity, done if wanted else 0, all_
        )

    def _identity_of(self, choice: EmbedderChoice) -> str:
        """Return the identity of an embedder, empty for none; raises like `start_embedding`."""
        from engine.providers.embedder_names import identity_of

        return "" if choice.is_none else identity_of(choice)

    def _wanted_identity(self) -> str:
        """Return the identity of the embedder the settings name; empty where there is none to be had."""
        try:
            return self._identity_of(self.embedder())
        except EmbedderMissingError:
            return ""

    def _usable_index(self, r: Connection, work: WorkId) -> VectorIndex | None:
        """Return the vectors by which a work is searched, None where the reader wants words only or there are none."""
        from engine.store import neighbours

        return None if self.embedder().is_none else neighbours.usable_index(r, work, self._wanted_identity())

    def query_vector(self, index: VectorIndex, text: str, timeout_s: float) -> Vector | None:
        """Return the vector of a query, None when it is not there in time; asking again a little later finds it.

        Raises:
            EmbedderMissingError: the embedder is not here any more, or is another one by now.
            UnderstoryError: it failed.
        """
        with self._helper_lock:
            if self._asking is None:
                from engine.providers.asking import QueryVectors

                self._asking = QueryVectors(self.paths.log_file)
        return self._asking.ask(EmbedderChoice(index.source, index.key_name), index.embedder, text, timeout_s)

    def _stop_asking(self) -> None:
        with self._helper_lock:
            if self._asking is not None:
                self._asking.close()
