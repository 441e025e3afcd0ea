"""What the agent says of every scenario: each fault named once, the healthy left in peace.

The scripts run as children, as a user runs them; an overheard publisher writes down, in order,
what the agent says and when torch's engine starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from gradwatch.scenarios import SCENARIOS, TWINS, Scenario, find, path
from gradwatch_agent import wire

from ..nursery import Nursery

pytestmark = pytest.mark.timeout(600)  # the last of all children waits for the others

TAP = Path(__file__).parents[1] / "agent" / "tap.py"
PARALLEL = 1 if "PYTEST_XDIST_WORKER" in os.environ else 2
LIMIT_S = 110

GUILTY = [s for s in SCENARIOS if s.expects]
HEALTHY = [s for s in (*SCENARIOS, *TWINS) if not s.expects]
LONG, SHORT = int(os.environ.get("GRADWATCH_TEST_LONG", "300")), 60
"""Iterations: a healthy job is watched for long (by hand for longer still); a fault shows soon."""

VARIANTS = {"rnn-hidden-state --retain": ("graph-chain",), "two-backwards-one-step --one-layer": ()}
RAISING = ("carried-estimate", "rnn-hidden-state", "bpr-indicator", "triple-backward")
FORESEEN = ("carried-estimate", "rnn-hidden-state", "triple-backward")
"""Of those, the ones that fail in the first iterations, where every backward is looked at."""


class Engine(msgspec.Struct, tag="engine"):
    """Torch's engine starts."""


LINE = msgspec.json.Decoder(wire.Message | Engine)


@dataclass(frozen=True)
class Heard:
    """What a scenario's process said and left behind."""

    code: int
    stderr: str
    lines: list[wire.Message | Engine]
    logged: list[wire.Finding]

    def of(self, kind: type) -> list:
        return [line for line in self.lines if isinstance(line, kind)]

    def findings(self, *levels: wire.Level) -> list[wire.Finding]:
        return [f for f in self.of(wire.Finding) if f.level in levels]

    @property
    def grave(self) -> list[wire.Finding]:
        return self.findings("warning", "critical")


def listen(nursery: Nursery, call: str, iterations: int, folder: Path) -> Heard:
    name, *options = call.split()
    scenario = find(name)
    assert scenario
    out, log = folder / f"{call}.jsonl", folder / f"{call}.log"
    environment = os.environ | {"GRADWATCH_LOG": str(log), "OMP_NUM_THREADS": "1"}
    environment.pop("GRADWATCH_OFF", None)
    script = [str(path(scenario)), "--iterations", str(iterations), *options]
    done = nursery.run([str(TAP), str(out), *script], environment, LIMIT_S)
    lines = [LINE.decode(line) for line in out.read_bytes().splitlines()]
    logged = msgspec.json.Decoder(wire.Finding).decode_lines(log.read_bytes())
    return Heard(done.returncode, done.stderr, lines, logged)


class All:
    """Every scenario's run, started at once, two at a time, and awaited one by one."""

    def __init__(self, nursery: Nursery, pool: ThreadPoolExecutor, folder: Path) -> None:
        calls = [(s.name, SHORT) for s in GUILTY] + [(call, SHORT) for call in VARIANTS]
        calls += [(s.name, LONG) for s in HEALTHY]
        self._runs: dict[str, Future[Heard]] = {
            call: pool.submit(listen, nursery, call, iterations, folder)
            for call, iterations in calls
        }

    def __call__(self, call: str) -> Heard:
        return self._runs[call].result()


@pytest.fixture(scope="module")
def heard(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[All]:
    pool = ThreadPoolExecutor(PARALLEL)
    yield All(nursery, pool, tmp_path_factory.mktemp("heard"))
    pool.shutdown(cancel_futures=True)


def named(scenario: Scenario) -> str:
    return scenario.name


@pytest.mark.parametrize("scenario", GUILTY, ids=named)
def test_each_fault_is_told_as_what_it_is_and_once(heard, scenario):
    run = heard(scenario.name)
    assert {finding.kind for finding in run.grave} == set(scenario.expects)
    assert len({finding.id for finding in run.grave}) == len(scenario.expects)
    assert run.grave[0].state == "raised"


@pytest.mark.parametrize("scenario", GUILTY, ids=named)
def test_each_finding_names_the_statement_in_the_script(heard, scenario):
    for finding in heard(scenario.name).grave:
        assert (finding.file or "").endswith(path(scenario).name)
        statement = path(scenario).read_text().splitlines()[(finding.line or 0) - 1].strip()
        assert finding.code
        assert statement.partition("#")[0].strip().startswith(finding.code.splitlines()[0])
        assert finding.suggestion


@pytest.mark.parametrize("scenario", HEALTHY, ids=named)
def test_the_healthy_are_left_in_peace(heard, scenario):
    run = heard(scenario.name)
    assert run.grave == []
    assert (run.code, run.stderr) == (0, "")
    assert run.of(wire.Iteration)[-1].number >= LONG - 1


@pytest.mark.parametrize("scenario", [*SCENARIOS, *TWINS], ids=named)
def test_what_is_only_worth_knowing_is_told_as_such(heard, scenario):
    told = {finding.kind for finding in heard(scenario.name).findings("info")}
    assert told == set(scenario.informs)


@pytest.mark.parametrize("call", VARIANTS)
def test_variants(heard, call):
    assert {finding.kind for finding in heard(call).grave} == set(VARIANTS[call])


@pytest.mark.parametrize("call", [*(s.name for s in (*SCENARIOS, *TWINS)), *VARIANTS])
def test_no_part_of_the_agent_fails_and_the_log_says_the_same(heard, call):
    run = heard(call)
    assert [beat.off for beat in run.of(wire.Beat)] == [()]
    assert run.logged == run.of(wire.Finding)


def test_carried_estimate_retained_counts_ten_stale_nodes_more_each_iteration(heard):
    records = heard("carried-estimate-retained").of(wire.Iteration)
    counted = [record for record in records if record.reached is not None]
    until_told = range(heard("carried-estimate-retained").grave[0].iteration + 1)
    assert [record.number for record in counted[: len(until_told)]] == list(until_told)
    assert [record.stale for record in counted] == [10 * record.number for record in counted]
    assert {record.reached - record.stale for record in counted} == {14}
    assert {record.built for record in records} == {13}


@pytest.mark.parametrize(
    "call", ["carried-estimate-retained", "saved-states", "rnn-hidden-state --retain"]
)
def test_a_chain_is_noticed_by_the_sixth_iteration(heard, call):
    first = heard(call).grave[0]
    assert first.iteration <= 6
    assert first.since_iteration == 1


@pytest.mark.parametrize("name", FORESEEN)
def test_a_second_backward_is_told_before_the_engine_starts(heard, name):
    lines = heard(name).lines
    raised = next(i for i, line in enumerate(lines) if isinstance(line, wire.Finding))
    failed = next(i for i, x in enumerate(lines) if isinstance(x, wire.Backward) and x.error)
    between = [type(line) for line in lines[raised + 1 : failed]]
    assert between == [Engine]


@pytest.mark.parametrize("name", RAISING)
def test_the_error_is_torchs_own_and_explains_itself(heard, name):
    run = heard(name)
    assert run.code == 1
    torchs, ours = run.stderr.rsplit("gradwatch: ", 1)
    assert "RuntimeError: Trying to backward through the graph a second time" in torchs
    assert run.grave[0].message in ours


@pytest.mark.parametrize("scenario", GUILTY, ids=named)
def test_the_farewell_tells_how_it_ended(heard, scenario):
    run = heard(scenario.name)
    (bye,) = run.of(wire.Bye)
    assert bye.reason == ("crashed" if run.code else "finished")
    assert bool(bye.error) == bool(run.code)
