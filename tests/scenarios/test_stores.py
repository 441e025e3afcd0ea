"""What keeps more and more plain tensors: a list is a leak, what fills up to a bound is none."""

from __future__ import annotations

import json
import os

import pytest

LIMIT_S = 100

SCRIPT = """
import gradwatch_agent.auto
import functools, itertools, sys
from collections import deque
import torch

model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.01)
history, cuts, ring = [], [], deque(maxlen=1000)
by_name, by_step = {"weight": [], "bias": []}, {}
ahead, behind = itertools.tee(torch.ones(500_000) for _ in iter(int, 1))

@functools.cache
def noise(number):
    return torch.ones(500_000)

def keep_list(number):
    history.append(torch.ones(500_000))

def keep_lists(number):
    for name in by_name:
        by_name[name].append(torch.ones(250_000))

def keep_by_turns(number):
    for size in (1_000, 200_000, 60_000):
        history.append(torch.ones(size))

def keep_checkpoints(number):
    by_step[f"step {number}"] = {"a": torch.ones(250_000), "b": torch.ones(250_000)}

def keep_views(number):
    cuts.append(torch.ones(1000, 500)[:, 0])

def keep_rows(number):
    history.extend(torch.ones(1000, 500)[:4])

def keep_by_tensor(number):
    key = torch.tensor(number)
    if key not in by_step:
        by_step[key] = torch.ones(500_000)

@functools.lru_cache(maxsize=None)
def mask(segments, width):
    return torch.ones(500_000)

def keep_cache_by_tensor(number):
    mask(torch.tensor(number), 8)

def keep_tee(number):
    next(ahead)

def keep_deque(number):
    ring.append(torch.ones(500_000))

def keep_cache(number):
    noise(number)

keep = globals()["keep_" + sys.argv[1]]
for number in range(100):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
    keep(number)
"""


@pytest.fixture
def checked(nursery, tmp_path):
    """What is told of such a job, watched as `gradwatch check` watches one."""

    def checked(store: str) -> list[dict]:
        script, log = tmp_path / "script.py", tmp_path / "alerts.jsonl"
        script.write_text(SCRIPT)
        as_checked = {"GRADWATCH_CHECK": "100", "GRADWATCH_REPORTS": str(tmp_path)}
        environment = os.environ | as_checked | {"GRADWATCH_LOG": str(log), "OMP_NUM_THREADS": "1"}
        nursery.run([str(script), store], environment, LIMIT_S)
        assert list(tmp_path.glob("*.json"))  # it came to its end
        told = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        last = {finding["id"]: finding for finding in told}
        return [f for f in last.values() if f["level"] != "info" and f["state"] != "resolved"]

    return checked


def test_a_list_that_only_grows_is_a_climb(checked):
    (found,) = checked("list")
    assert (found["kind"], found["holder"]) == ("memory-climb", "history")
    assert found["code"] == "history.append(torch.ones(500_000))"


def test_what_is_put_in_by_turns_is_weighed_whole(checked):
    (found,) = checked("by_turns")
    assert (found["kind"], found["holder"]) == ("memory-climb", "history")


def test_a_view_weighs_what_it_was_cut_from(checked):
    (found,) = checked("views")
    assert (found["kind"], found["holder"]) == ("memory-climb", "cuts")
    assert "`cuts.append(torch.ones(1000, 500)[:, 0].clone())`" in found["suggestion"]
    assert "a view of 4 kB that keeps all it was cut from, 2 MB" in found["suggestion"]


def test_so_do_several_of_one_together(checked):
    (found,) = checked("rows")
    assert (found["kind"], found["holder"]) == ("memory-climb", "history")


def test_what_is_kept_by_tensors_is_never_found_again(checked):
    (found,) = checked("by_tensor")
    assert (found["kind"], found["holder"]) == ("memory-climb", "by_step")
    assert "never found again" in found["suggestion"]


def test_so_is_what_a_function_remembers_by_tensors(checked):
    (found,) = checked("cache_by_tensor")
    assert (found["kind"], found["holder"]) == ("memory-climb", "mask")
    assert found["code"] == "@functools.lru_cache(maxsize=None)"
    assert "never found again" in found["suggestion"]


def test_several_lists_that_grow_are_what_they_lie_in(checked):
    (found,) = checked("lists")
    assert (found["kind"], found["holder"]) == ("memory-climb", "by_name")
    assert found["code"] == "by_name[name].append(torch.ones(250_000))"


def test_records_that_are_always_new_are_what_they_lie_in(checked):
    (found,) = checked("checkpoints")
    assert (found["kind"], found["holder"]) == ("memory-climb", "by_step")


def test_an_iterator_that_lags_behind_is_a_climb(checked):
    (found,) = checked("tee")
    assert (found["kind"], found["holder"]) == ("memory-climb", "behind")
    assert found["code"].startswith("ahead, behind = itertools.tee(")


@pytest.mark.parametrize("store", ["deque", "cache"])
def test_what_fills_is_no_alarm(checked, store):
    assert checked(store) == []
