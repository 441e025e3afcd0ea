"""`memory-climb` and `oom-forecast`, on synthetic looks at memory, two a second."""

import math
import random
from collections.abc import Callable

import pytest

from gradwatch_agent import wire
from gradwatch_agent.verdicts import Verdicts
from gradwatch_agent.verdicts.case import Answer

HELLO = wire.Hello(run="r", job="j", host="h", pid=1, started=0.0)
MB, GB = 10**6, 10**9
BEAT_S = 0.5
ITERATIONS_PER_S = 20

Memory = Callable[[float], float]
"""Bytes in use at a time, in seconds."""


def told(
    used: Memory,
    seconds: int,
    limit: int | None = 64 * GB,
    *,
    device: bool = False,
    why: Answer | None = None,
    thorough: bool = False,
) -> list[wire.Finding]:
    verdicts = Verdicts(HELLO, thorough=thorough)
    if why is not None:
        verdicts.learn_growth(why)
    findings = []
    for beat in range(int(seconds / BEAT_S)):
        at = beat * BEAT_S
        number = int(at * ITERATIONS_PER_S)
        findings += verdicts.iteration(wire.Iteration(number=number, at=at))
        findings += verdicts.memory(sample(at, number, int(used(at)), limit, device=device))
    return findings


def sample(at: float, number: int, used: int, limit: int | None, *, device: bool) -> wire.Memory:
    if not device:
        return wire.Memory(
            at=at, iteration=number, rss_bytes=used, limit_bytes=limit, limit_used_bytes=used
        )
    gpu = wire.DeviceMemory("GPU-1", used_bytes=used, total_bytes=limit, allocated_bytes=used)
    return wire.Memory(at=at, iteration=number, rss_bytes=GB, devices=(gpu,))


def test_a_steady_leak_is_told_with_its_rate_and_its_end():
    findings = told(lambda at: 2 * GB + 2 * MB * at, seconds=300)
    raised = findings[0]
    assert {finding.kind for finding in findings} == {"memory-climb"}
    assert (raised.level, raised.state) == ("warning", "raised")
    assert raised.bytes_per_iteration == pytest.approx(2 * MB / ITERATIONS_PER_S, rel=0.1)
    assert raised.eta_iterations == pytest.approx(62_000 / 2 * ITERATIONS_PER_S, rel=0.1)
    assert raised.since_iteration < 2 * ITERATIONS_PER_S


def test_a_leak_whose_container_is_known_is_a_hint_before_it_is_an_alarm():
    why = Answer(holder="self.preds", explains_bytes=200.0 * MB)
    hint, *more = told(lambda at: 2 * GB + 5 * MB * at, seconds=120, why=why)
    assert (hint.kind, hint.level, hint.state) == ("memory-climb", "info", "raised")
    assert 20 * ITERATIONS_PER_S <= hint.iteration <= 30 * ITERATIONS_PER_S
    assert "early to say" in hint.message
    alarm = next(finding for finding in more if finding.level == "warning")
    assert (alarm.id, "early to say" in alarm.message) == (hint.id, False)


def test_in_a_check_a_slight_leak_is_a_hint_where_its_container_is_known():
    """12 MB in a process of 300."""
    slight = {"used": lambda at: 300 * MB + MB * at, "seconds": 13, "thorough": True}
    known = told(**slight, why=Answer(holder="seen", explains_bytes=9.0 * MB))
    assert {(finding.kind, finding.level) for finding in known} == {("memory-climb", "info")}
    assert told(**slight) == []
    assert told(**slight, why=Answer(explains_bytes=0.0)) == []


def test_what_is_let_go_of_each_minute_is_never_an_alarm():
    why = Answer(holder="outputs", explains_bytes=1.0 * GB)
    findings = told(lambda at: 2 * GB + GB * (at % 50) / 50, seconds=900, why=why)
    assert {finding.level for finding in findings} <= {"info"}


def test_a_leak_under_noise_is_found():
    noise = random.Random(0)
    findings = told(lambda at: 2 * GB + 2 * MB * at + noise.uniform(0, 20 * MB), seconds=600)
    assert findings[0].kind == "memory-climb"


def test_a_leak_under_a_sawtooth_is_found():
    findings = told(lambda at: 2 * GB + 2 * MB * at + 200 * MB * (at % 5) / 5, seconds=600)
    assert findings[0].kind == "memory-climb"


@pytest.mark.parametrize("seed", range(3))
def test_a_leak_that_goes_on_is_not_taken_back_in_between(seed):
    noise = random.Random(seed)
    findings = told(lambda at: 2 * GB + 2 * MB * at + noise.uniform(0, 60 * MB), seconds=400)
    assert {finding.id for finding in findings} == {findings[0].id}
    assert "resolved" not in {finding.state for finding in findings}


def test_nor_is_one_that_nothing_explains():
    noise = random.Random(0)
    findings = told(
        lambda at: 2 * GB + 2 * MB * at + noise.uniform(0, 300 * MB),
        seconds=6_000,
        why=Answer(explains_bytes=0.0),
    )
    assert findings
    assert "resolved" not in {finding.state for finding in findings}


def test_what_grows_a_little_explains_no_climb_that_is_over():
    findings = told(
        lambda at: 2 * GB + 3 * MB * min(at, 80) + 1_000 * at,
        seconds=170,
        why=Answer(holder="cache", explains_bytes=3_000_000),
    )
    assert findings == []


@pytest.mark.parametrize("device", [False, True], ids=["process", "device"])
def test_memory_that_is_full_soon_is_forecast(device):
    findings = told(lambda at: 2 * GB + 50 * MB * at, seconds=30, limit=8 * GB, device=device)
    raised = findings[0]
    assert (raised.kind, raised.level) == ("oom-forecast", "critical")
    full_at = 120 * ITERATIONS_PER_S
    assert raised.iteration + (raised.eta_iterations or 0) == pytest.approx(full_at, rel=0.15)
    assert {finding.kind for finding in findings} == {"oom-forecast"}


def test_a_forecast_without_a_limit_is_none():
    findings = told(lambda at: 2 * GB + 50 * MB * at, seconds=150, limit=None)
    assert {finding.kind for finding in findings} == {"memory-climb"}
    assert findings[0].eta_iterations is None


def test_a_climb_that_stops_is_resolved():
    findings = told(lambda at: 2 * GB + 2 * MB * min(at, 200), seconds=1_200)
    assert findings[-1].state == "resolved"
    assert [f.state for f in findings if f.state != "updated"] == ["raised", "resolved"]


def noisy(seed: int) -> Memory:
    noise = random.Random(seed)
    return lambda _: 2 * GB + noise.gauss(0, 100 * MB)


def walking(seed: int) -> Memory:
    """A random walk that is drawn back: an allocator's pool."""
    noise = random.Random(seed)
    state = [0.0]

    def used(_: float) -> float:
        state[0] = 0.9 * state[0] + noise.gauss(0, 30 * MB)
        return 2 * GB + state[0]

    return used


@pytest.mark.parametrize(
    "used",
    [
        pytest.param(lambda _: 2 * GB, id="flat"),
        *(pytest.param(noisy(seed), id=f"noise {seed}") for seed in range(2)),
        *(pytest.param(walking(seed), id=f"pool {seed}") for seed in range(2)),
        pytest.param(lambda at: 2 * GB + GB * (at % 7) / 7, id="sawtooth"),
        pytest.param(lambda at: 2 * GB + GB * (at % 61) / 61, id="sawtooth of a minute"),
        pytest.param(lambda at: 2 * GB + GB * math.sin(at / 5), id="waves"),
        pytest.param(lambda at: 2 * GB + GB * min(at / 5, 1), id="a cache filled in 5 s"),
        pytest.param(lambda at: 4 * GB - GB * math.exp(-at / 10), id="a warm-up of 10 s"),
        pytest.param(lambda at: 4 * GB - GB * math.exp(-at / 30), id="a warm-up of 30 s"),
        pytest.param(lambda at: 2 * GB + 300 * MB * (at // 60 % 2), id="validation every minute"),
        pytest.param(lambda at: 2 * GB + 10 * MB * math.log1p(at), id="ever slower"),
        pytest.param(lambda at: 8 * GB - 2 * MB * at, id="falling"),
        pytest.param(lambda at: 2 * GB + 20_000 * at, id="20 kB a second"),
    ],
)
def test_no_climb(used):
    assert told(used, seconds=900) == []
