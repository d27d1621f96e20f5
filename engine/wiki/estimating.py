"""What it will cost to have a work read by models, as far as it has not been read."""

from __future__ import annotations

from engine.analysis.estimate import estimate_reading
from engine.domain.analysis import AnalysisRequest, Estimate
from engine.domain.book import WorkId
from engine.domain.models import ModelRole, ModelSettings
from engine.paths import Paths
from engine.providers.model_config import read_model_settings
from engine.store import analyses
from engine.store.estimates import estimate_json, request_from_json
from engine.store.store import Store
from engine.wiki.whole_work import open_text, window_budget

_CONTEXT_TOKENS = 32_768
"""Where nothing is known of the model."""


def estimate_work(store: Store, settings: ModelSettings, work: WorkId, request: AnalysisRequest) -> Estimate:
    """Return what reading a work will cost; volumes of finished readings are not counted.

    Raises:
        WorkNotFoundError: there is no such work.
    """
    text = open_text(store, work)
    name = settings.roles.get(ModelRole.READER, "")
    address = settings.address(name)
    context = address.context_tokens if address is not None and address.context_tokens else _CONTEXT_TOKENS
    with store.read() as r:
        done = analyses.finished_volumes(r, work, request)
        read = {
            volume.ord
            for index, volume in enumerate(text.outline.volumes)
            if index < done and analyses.seed_of(r, work, volume.ord, text.key_upto(index)) is not None
        }
    windows = [each for each in text.windows(window_budget(context)) if each.volume not in read]
    characters = sum(len(each.block.text) for window in windows for each in window.paragraphs)
    volumes = len({window.volume for window in windows})
    return estimate_reading(windows, volumes, characters, request.mode, settings.prices.get(name))


def estimate_requested(store: Store, paths: Paths, told: str) -> str:
    """Answer a request as it came from another process; both ways as `engine.store.estimates` writes them."""
    work, request = request_from_json(told)
    return estimate_json(estimate_work(store, read_model_settings(paths.config_file)[0], work, request))
