"""What the scenarios do when nobody watches: the ground that all findings are judged by."""

import re
import subprocess
import sys
from itertools import pairwise

import pytest

from gradwatch.scenarios import SCENARIOS, TWINS, find, path

SECOND_TIME = "RuntimeError: Trying to backward through the graph a second time"
IN_PLACE = "modified by an inplace operation"
NO_GRAD = "RuntimeError: element 0 of tensors does not require grad"

WITHIN = slice(1, -1)
"""All backwards but the first and the last: a session's first and last steps differ by design."""

RAISING = {
    "carried-estimate": SECOND_TIME,
    "rnn-hidden-state": SECOND_TIME,
    "bpr-indicator": SECOND_TIME,
    "triple-backward": SECOND_TIME,
    "two-backwards-one-step": IN_PLACE,
    "detach-branch": NO_GRAD,
}
PASSING = [
    *(s.name for s in (*SCENARIOS, *TWINS) if s.name not in RAISING),
    "rnn-hidden-state --retain",
    "two-backwards-one-step --one-layer",
]
STEADY = [s.name for s in (*SCENARIOS, *TWINS) if not s.expects]


@pytest.mark.parametrize(("name", "text"), RAISING.items())
def test_a_raising_scenario_ends_by_its_exception(runs, name, text):
    run = runs(name)
    assert run.code == 1
    assert "Traceback (most recent call last)" in run.stderr
    assert text in run.error


@pytest.mark.parametrize("call", PASSING)
def test_the_others_end_well(runs, call):
    run = runs(call)
    assert (run.code, run.stderr) == (0, "")


@pytest.mark.parametrize("name", STEADY)
def test_without_a_fault_no_graph_grows_and_none_piles_up(runs, name):
    run = runs(name)
    assert len(set(run.nodes[WITHIN])) == 1
    assert max(run.alive) <= 2


def test_run_as_a_module_and_with_no_probe_they_do_the_same(runs):
    raised = runs.by_module("carried-estimate")
    assert (raised.code, SECOND_TIME in raised.error) == (1, True)
    assert runs.by_module("carried-estimate-fixed").code == 0


def test_carried_estimate_reaches_ten_old_nodes_of_24(runs):
    run = runs("carried-estimate")
    assert run.nodes == (14, 24)
    assert run.stale == (0, 10)


def test_carried_estimate_retained_reaches_ten_nodes_more_each_iteration(runs):
    run = runs("carried-estimate-retained")
    assert run.nodes == tuple(14 + 10 * i for i in range(30))
    assert run.stale == tuple(10 * i for i in range(30))


def test_carried_estimate_fixed_has_14_nodes_for_ever(runs):
    run = runs("carried-estimate-fixed")
    assert run.nodes == (14,) * 30
    assert run.stale == (0,) * 30


@pytest.mark.parametrize("call", ["rnn-hidden-state --retain", "saved-states"])
def test_a_kept_state_chains_by_the_same_number_each_iteration(runs, call):
    run = runs(call)
    growth = {later - earlier for earlier, later in pairwise(run.nodes[WITHIN])}
    assert len(growth) == 1
    assert growth.pop() > 0
    assert run.alive == tuple(range(1, 31))


def test_rnn_hidden_state_raises_at_the_second_backward(runs):
    run = runs("rnn-hidden-state")
    assert len(run.nodes) == 2
    assert run.stale[1] == run.nodes[1] - run.nodes[0] > 0


def test_total_loss_keeps_all_graphs_though_no_loss_reaches_an_old_one(runs):
    run = runs("total-loss")
    assert run.alive == tuple(range(1, 31))
    assert len(set(run.nodes)) == 1
    assert set(run.stale) == {0}


def test_bpr_indicator_raises_only_after_the_flag_was_set(runs):
    run = runs("bpr-indicator")
    assert len(run.nodes) == 26
    assert set(run.stale[:25]) == {0}
    assert run.stale[25] > 0


def test_two_losses_retained_walks_no_node_twice_and_its_twin_computes_the_same(runs):
    run = runs("two-losses-retained")
    assert set(run.stale) == {0}
    assert "step 100: losses" in run.stdout
    assert run.stdout == runs("two-losses-retained-fixed").stdout


def test_two_backwards_one_step_raises_in_the_second_walk_of_one_graph(runs):
    run = runs("two-backwards-one-step")
    assert run.nodes[0] == run.nodes[1]
    assert (run.stale[0], run.stale[1] > 0) == (0, True)


def test_triple_backward_raises_at_its_third(runs):
    assert len(runs("triple-backward").nodes) == 3
    assert len(runs("triple-backward-fixed").nodes) == 3 * 30


def test_detach_branch_has_no_graph_to_walk(runs):
    assert runs("detach-branch").nodes == (3, 0)


def test_missing_zero_grad_adds_up_and_raises_nothing(runs):
    def last_gradient(name: str) -> float:
        return float(re.findall(r"gradient (\S+)", runs(name).stdout)[-1])

    assert last_gradient("missing-zero-grad") == pytest.approx(101 * 2, rel=1e-3)
    assert last_gradient("missing-zero-grad-fixed") == pytest.approx(2, rel=1e-3)


def test_the_catalog_is_whole():
    assert len(SCENARIOS) == 14
    twins = {s.twin for s in SCENARIOS if s.twin}
    assert twins == {s.name for s in TWINS} | {"carried-estimate-fixed"}
    assert {s.name for s in SCENARIOS if s.expects or s.informs} == {
        s.name for s in SCENARIOS if s.twin
    }


def test_every_script_is_in_the_catalog_and_has_the_one_line():
    cataloged = {path(s) for s in (*SCENARIOS, *TWINS)}
    folder = path(SCENARIOS[0]).parent
    assert cataloged == {file for file in folder.glob("*.py") if file.name != "__init__.py"}
    for script in cataloged:
        lines = [line for line in script.read_text().splitlines() if "gradwatch" in line]
        assert lines == ["import gradwatch_agent.auto  # noqa: F401  - the one line"]


def test_find():
    assert find("total-loss") is SCENARIOS[4]
    assert find("total-loss-fixed") in TWINS
    assert find("no-such-scenario") is None


def test_the_catalog_imports_no_torch():
    code = "import sys, gradwatch.scenarios; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
