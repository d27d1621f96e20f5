"""[models] of the configuration: read without failing, changed without losing a line, never holding a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.config import read_settings, write_setting
from engine.domain.models import ModelAddress, ModelRole, ModelSettings, Price, SpendingLimits
from engine.errors import SettingRefusedError
from engine.providers.model_config import (
    drop_address,
    read_model_settings,
    write_address,
    write_number,
    write_price,
    write_role,
)

_LOCAL = ModelAddress("local", "http://127.0.0.1:11434/v1", "qwen3:8b", context_tokens=32_000, tools=False)
_WHOLE = """
theme = "ink"  # at night
[models]
reader = "local"
parallel = 8
idle_s = 30
day_money = 2.5
month_tokens = 1000000
currency = "€"
[models.address.local]
url = "http://127.0.0.1:11434/v1"
model = "qwen3:8b"
context = 32000
tools = false
[models.price."gpt-6-luna"]
sent = 1
received = 4.5
cached = 0.1
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_a_file_nothing_is_chosen(path: Path) -> None:
    assert read_model_settings(path) == (ModelSettings(), ())


def test_everything_is_read(path: Path) -> None:
    path.write_text(_WHOLE, "utf-8")
    read, notices = read_model_settings(path)
    assert notices == ()
    assert read.roles == {ModelRole.READER: "local"}
    assert read.address("local") == _LOCAL
    assert read.prices == {"gpt-6-luna": Price(1.0, 0.1, 4.5)}
    assert read.limits == SpendingLimits(day_money=2.5, month_tokens=1_000_000)
    assert (read.parallel, read.idle_s, read.currency) == (8, 30.0, "€")


def test_the_other_settings_do_not_mind_the_table(path: Path) -> None:
    path.write_text(_WHOLE, "utf-8")
    read, notices = read_settings(path)
    assert (read.theme, notices) == ("ink", ())


@pytest.mark.parametrize(
    "text",
    [
        "models = 3",
        "[models]\nreader = 7",
        "[models]\nreader = \"a\\u001bb\"",
        "[models]\nparallel = 0",
        "[models]\nparallel = 2.5",
        "[models]\nday_money = -1",
        "[models]\nday_money = nan",
        "[models]\nday_money = true",
        "[models]\nraeder = \"x\"",
        "[models]\naddress = 1",
        "[models.address.a]\nurl = \"ftp://host/\"",
        "[models.address.a]\nurl = \"https://me:sk-1@host/v1\"",
        "[models.address.a]\nurl = \"https://host/v1?key=sk-1\"",
        "[models.address.a]\nkey = \"sk-1\"",
        "[models.address.a]\ncontext = -1",
        "[models.address.a]\ntools = \"yes\"",
        "[models.price.a]\nsent = \"cheap\"",
        "[models.price.a]\nsent = -1",
        "[models",
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_used_keeps_its_default_and_is_told(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    read, notices = read_model_settings(path)
    assert read == ModelSettings()
    assert len(notices) == 1
    assert "sk-1" not in notices[0].message


def test_each_change_leaves_the_readers_own_lines_alone(path: Path) -> None:
    path.write_text('# mine\ntheme = "ink"  # at night\n', "utf-8")
    write_address(path, _LOCAL)
    write_role(path, ModelRole.READER, "local")
    write_price(path, "local", Price(1.0, None, 2.0))
    write_number(path, "day_money", 2.0)
    write_setting(path, "column_width", "70")
    text = path.read_text("utf-8")
    assert text.startswith('# mine\ntheme = "ink"  # at night\n')
    read, notices = read_model_settings(path)
    assert (read.address("local"), read.roles, notices) == (_LOCAL, {ModelRole.READER: "local"}, ())
    assert (read.prices, read.limits.day_money) == ({"local": Price(1.0, None, 2.0)}, 2.0)
    assert read_settings(path)[0].column_width == 70


def test_a_role_can_be_left_without_a_model(path: Path) -> None:
    write_role(path, ModelRole.JUDGE, "local")
    write_role(path, ModelRole.JUDGE, "")
    assert read_model_settings(path)[0].roles == {}


def test_an_address_goes_with_its_price_and_its_roles(path: Path) -> None:
    path.write_text(_WHOLE, "utf-8")
    write_price(path, "local", Price(1.0))
    drop_address(path, "local")
    read = read_model_settings(path)[0]
    assert (read.addresses, read.roles, set(read.prices)) == ((), {}, {"gpt-6-luna"})


@pytest.mark.parametrize("url", ["https://me:sk-1@host/v1", "https://host/v1?api_key=sk-1", "host:80", "file:///etc"])
def test_an_address_that_holds_a_key_or_is_none_is_refused_and_nothing_written(path: Path, url: str) -> None:
    with pytest.raises(SettingRefusedError) as raised:
        write_address(path, ModelAddress("a", url))
    assert "sk-1" not in raised.value.message
    assert not path.exists()


@pytest.mark.parametrize(("name", "value"), [("parallel", 0), ("day_money", -1.0), ("total_s", 0.0), ("theme", 1)])
def test_a_number_that_may_not_be_is_refused(path: Path, name: str, value: float) -> None:
    with pytest.raises(SettingRefusedError):
        write_number(path, name, value)


_NAMES = st.sampled_from(["reader", "parallel", "day_money", "idle_s", "currency", "month_tokens"])
_VALUES = st.one_of(
    st.integers(), st.booleans(), st.sampled_from(['"x"', "[]", "{}", "1.5", "inf", "nan", '"\\u202e"'])
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.dictionaries(_NAMES, _VALUES, max_size=4))
def test_no_table_whatever_keeps_the_settings_from_being_read(path: Path, lines: dict[str, object]) -> None:
    path.write_text("[models]\n" + "\n".join(f"{k} = {str(v).lower()}" for k, v in lines.items()), "utf-8")
    read, _notices = read_model_settings(path)
    assert read.parallel >= 1
    assert read.limits.day_money >= 0


def test_prices_count_what_was_cached_at_its_own_price() -> None:
    from engine.domain.models import Usage

    assert Price(2.0, 0.2, 8.0).of(Usage(1_000_000, 500_000, 250_000)) == pytest.approx(1.0 + 0.1 + 2.0)
    assert Price(2.0).of(Usage(1_000_000, 500_000, 0)) == pytest.approx(2.0)
