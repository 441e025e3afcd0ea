"""Runs every scenario as a child process without the agent, a few at once."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from gradwatch.scenarios import SCENARIOS, TWINS, find, path

from ..nursery import Nursery, Start, interpreter

PROBE = Path(__file__).with_name("node_probe.py")
PARALLEL = 1 if "PYTEST_XDIST_WORKER" in os.environ else 2
"""Children at once: importing torch takes one core each."""
ITERATIONS = 30
LIMIT_S = 100

VARIANTS = ("rnn-hidden-state --retain", "two-backwards-one-step --one-layer")
BY_MODULE = ("carried-estimate", "carried-estimate-fixed")
LONGER = {
    "missing-zero-grad": 101,
    "missing-zero-grad-fixed": 101,
    "two-losses-retained": 101,
    "two-losses-retained-fixed": 101,
}
"""These print each hundredth iteration what a test reads."""


@dataclass(frozen=True)
class Run:
    """What a scenario's process left behind; counts hold one number per backward."""

    code: int
    stdout: str
    stderr: str
    nodes: tuple[int, ...] = ()
    stale: tuple[int, ...] = ()
    alive: tuple[int, ...] = ()

    @property
    def error(self) -> str:
        """The traceback's last line."""
        return self.stderr.strip().splitlines()[-1] if self.stderr.strip() else ""


def child(start: Start, *arguments: str) -> Run:
    environment = {**os.environ, "GRADWATCH_OFF": "1", "OMP_NUM_THREADS": "1"}
    done = start([*arguments], environment, LIMIT_S)
    return Run(done.returncode, done.stdout, done.stderr)


def probed(nursery: Nursery, call: str, out: Path) -> Run:
    name, *options = call.split()
    scenario = find(name)
    assert scenario
    iterations = str(LONGER.get(name, ITERATIONS))
    run = child(
        nursery.run, str(PROBE), str(out), str(path(scenario)), "--iterations", iterations, *options
    )
    looks = [json.loads(line) for line in out.read_text().splitlines()]
    columns = {key: tuple(look[key] for look in looks) for key in ("nodes", "stale", "alive")}
    return Run(run.code, run.stdout, run.stderr, **columns)


def bare(name: str) -> Run:
    module = "gradwatch.scenarios." + name.replace("-", "_")
    return child(interpreter, "-m", module, "--iterations", str(ITERATIONS))


class Runs:
    """All runs, started at once and awaited one by one."""

    def __init__(self, nursery: Nursery, pool: ThreadPoolExecutor, folder: Path) -> None:
        calls = [*(s.name for s in (*SCENARIOS, *TWINS)), *VARIANTS]
        self._probed = {
            call: pool.submit(probed, nursery, call, folder / f"{number}.jsonl")
            for number, call in enumerate(calls)
        }
        self._bare = {name: pool.submit(bare, name) for name in BY_MODULE}

    def __call__(self, call: str) -> Run:
        """The run of a scenario, named with its options, under the probe."""
        return self._probed[call].result()

    def by_module(self, name: str) -> Run:
        """The run by `python -m`, without the probe."""
        return self._bare[name].result()


@pytest.fixture(scope="module")
def runs(nursery: Nursery, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    pool = ThreadPoolExecutor(PARALLEL)
    yield Runs(nursery, pool, tmp_path_factory.mktemp("runs"))
    pool.shutdown(cancel_futures=True)
