"""`assert_no_graph_growth`, in blocks of this very process."""

from __future__ import annotations

import inspect
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from torch import nn

import gradwatch_agent
from gradwatch_agent.testing import GrowthUnchecked, assert_no_graph_growth

ITERATIONS = 10


def losses(iterations: int) -> Iterator[torch.Tensor]:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(iterations):
        loss = model(torch.randn(3, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss


def healthy(iterations: int = ITERATIONS) -> None:
    for _ in losses(iterations):
        pass


def total_loss(iterations: int = ITERATIONS) -> None:
    total = torch.zeros(())
    for loss in losses(iterations):
        total += loss


def hidden_state(iterations: int = ITERATIONS) -> None:
    cell, hidden = nn.GRUCell(4, 4), torch.zeros(3, 4)
    for _ in range(iterations):
        hidden = cell(torch.randn(3, 4), hidden)
        hidden.pow(2).mean().backward(retain_graph=True)
        with torch.no_grad():
            for p in cell.parameters():
                p.grad = None


def second_backward() -> None:
    loss = nn.Linear(4, 1)(torch.randn(3, 4)).pow(2).mean()
    loss.backward()
    loss.backward()


def line_of(function: Callable[..., None], code: str) -> str:
    lines, first = inspect.getsourcelines(function)
    number = next(n for n, line in enumerate(lines, first) if line.strip() == code)
    return f"{__file__}:{number}"


def growth(function: Callable[[], object], **options) -> str:
    with pytest.raises(AssertionError) as caught, assert_no_graph_growth(**options):
        function()
    return str(caught.value)


def torch_now() -> tuple[object, ...]:
    from torch.optim import optimizer

    return (
        torch.autograd._engine_run_backward,
        dict(optimizer._global_optimizer_post_hooks),
        sys.excepthook,
        (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        sorted(thread.name for thread in threading.enumerate()),
        len(list(Path("/proc/self/fd").iterdir())),
    )


def test_a_healthy_training_passes_and_nothing_is_left():
    healthy()  # the first optimizer of a process imports and opens much
    before = torch_now()
    with assert_no_graph_growth():
        healthy()
    assert torch_now() == before


def test_a_sum_of_losses_is_told_in_full():
    before = torch_now()
    told = growth(total_loss)
    assert torch_now() == before
    assert told.startswith("gradwatch: 10 iterations, 1 finding\n\ngraph-held · warning · since ")
    assert "The graphs of 9 earlier iterations are kept alive" in told
    assert line_of(total_loss, "total += loss") in told
    assert "held by  total\n" in told
    assert "`total += loss.item()`" in told


def test_a_carried_state_is_told_in_full():
    told = growth(hidden_state)
    assert "graph-chain · critical · since iteration 1, noticed in iteration 5" in told
    assert line_of(hidden_state, "hidden = cell(torch.randn(3, 4), hidden)") in told
    assert "held by  hidden\n" in told


def test_blocks_one_after_the_other_know_nothing_of_each_other():
    for _ in range(2):
        assert "10 iterations" in growth(total_loss)
        with assert_no_graph_growth():
            healthy()
        assert "noticed in iteration 5" in growth(hidden_state)


@pytest.mark.parametrize("iterations", [0, 1])
def test_too_few_iterations_are_no_proof(iterations):
    told = growth(lambda: healthy(iterations))
    assert f"gradwatch: {iterations} iteration" in told
    assert "too few to judge" in told


def test_fewer_may_be_allowed_and_few_are_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with assert_no_graph_growth(min_iterations=0):
            healthy(0)
        with assert_no_graph_growth():
            healthy(8)
    with pytest.warns(GrowthUnchecked, match="only from 8") as caught, assert_no_graph_growth():
        healthy(7)
    assert caught[0].filename == __file__


def test_level_and_kinds():
    with assert_no_graph_growth(level="critical"):
        total_loss()
    with assert_no_graph_growth(kinds=["graph-chain"]):
        total_loss()
    assert "graph-chain" in growth(hidden_state, level="critical", kinds={"graph-chain"})
    with pytest.raises(ValueError, match="no level 'grave'"):
        assert_no_graph_growth(level="grave")
    for kinds in ("graph-chain", ["graph-chains"]):
        with pytest.raises(ValueError, match="no kinds"):
            assert_no_graph_growth(kinds=kinds)


def test_an_exception_passes_through_with_its_note():
    before = torch_now()
    with pytest.raises(RuntimeError, match="a second time") as caught, assert_no_graph_growth():
        second_backward()
    assert torch_now() == before
    assert caught.value.__notes__[0].startswith("gradwatch: ")
    with pytest.raises(KeyError), assert_no_graph_growth():  # noqa: PT012
        total_loss()
        raise KeyError


def test_a_block_in_a_block():
    with assert_no_graph_growth(level="critical"):
        healthy()
        told = growth(total_loss)
        assert told.startswith("gradwatch: 10 iterations, 1 finding")


def test_an_outer_block_sees_what_inner_ones_train():
    def outer() -> None:
        with assert_no_graph_growth():
            healthy()
        with assert_no_graph_growth(kinds=["graph-held"]):
            hidden_state()

    assert "20 iterations, 1 finding\n\ngraph-chain" in growth(outer, level="critical")


def test_what_came_before_an_inner_block_is_not_of_it():
    def outer() -> None:
        total_loss()
        with assert_no_graph_growth():
            healthy()

    assert "20 iterations, 1 finding" in growth(outer)


def test_a_running_session_is_put_aside(watching):
    with watching() as said:
        healthy(3)
        told = growth(total_loss)
        healthy(4)
    assert told.startswith("gradwatch: 10 iterations, 1 finding\n\ngraph-held")
    assert [record.number for record in said.iterations] == list(range(7))
    assert [record.reached for record in said.iterations] == [said.iterations[0].reached] * 7
    assert said.findings == []
    assert not torch.is_anomaly_enabled()


def test_a_session_that_begins_in_a_block_is_inert():
    def watched() -> None:
        with gradwatch_agent.watch() as watch:
            assert not watch.running
            total_loss(5)
        total_loss(5)
        total_loss()

    assert "15 iterations" in growth(watched) or "20 iterations" in growth(watched)


def test_iterations_marked_by_hand():
    def marked() -> None:
        gradwatch_agent.iteration()  # from the first call on
        for _ in range(3):
            healthy(4)
            gradwatch_agent.iteration()

    assert "gradwatch: 4 iterations" in growth(marked, min_iterations=5)


def test_other_optimizers_of_the_process_do_not_hold_up_iterations():
    elsewhere = torch.optim.Adam(nn.Linear(2, 2).parameters())
    with assert_no_graph_growth(min_iterations=ITERATIONS, kinds=["graph-held"]):
        hidden_state()
    assert elsewhere.param_groups


def test_accumulation_from_the_first_step_on():
    def accumulated() -> None:
        model = nn.Linear(4, 1)
        optimizer = torch.optim.Adam(model.parameters())
        for number in range(40):
            (model(torch.randn(3, 4)).mean() / 4).backward()
            if number % 4 == 3:
                optimizer.step()
                optimizer.zero_grad()

    assert "gradwatch: 10 iterations and 40 backwards" in growth(accumulated, min_iterations=11)


def test_trainings_in_other_threads():
    def in_threads() -> None:
        workers = [threading.Thread(target=train) for train in (healthy, total_loss)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    assert growth(in_threads).startswith("gradwatch: 20 iterations, 1 finding\n\ngraph-held")


def test_a_decorator():
    @assert_no_graph_growth()
    def trains(function: Callable[[], None]) -> str:
        function()
        return "done"

    assert trains(healthy) == "done"
    with pytest.raises(AssertionError, match="graph-held"):
        trains(total_loss)


def test_switched_off_it_says_so(monkeypatch):
    monkeypatch.setenv("GRADWATCH_OFF", "1")
    with pytest.warns(GrowthUnchecked, match="GRADWATCH_OFF") as caught, assert_no_graph_growth():
        total_loss()
    assert caught[0].filename == __file__


def test_no_files_and_no_job(children):
    ended = children.run(
        """
import sys
from gradwatch_agent.testing import assert_no_graph_growth
assert "torch" not in sys.modules
import torch, threading
from gradwatch_agent import runfile
w = torch.ones(3, requires_grad=True)
with assert_no_graph_growth():
    for _ in range(10):
        (w * w).sum().backward()
    assert runfile.running() == [] and threading.active_count() == 1
print("done")
"""
    )
    assert (ended.out, ended.err) == ("done\n", "")
    assert (ended.findings, ended.run_directory) == ([], [])


def test_an_average_of_weights_that_keeps_its_graph():
    def averaged():
        model = nn.Linear(4, 4)
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
        average = {name: torch.zeros_like(p) for name, p in model.named_parameters()}
        for number in range(64):
            optimizer.zero_grad()
            model(torch.randn(2, 4)).mean().backward()
            optimizer.step()
            for name, weight in model.named_parameters():
                average[name] = average[name] + (weight - average[name]) / (number + 1)

    told = growth(averaged)
    assert "graph-held" in told
    assert "(average[name] + (weight - average[name]) / (number + 1)).detach()" in told


def test_a_sum_over_an_episode_waits_for_its_end():
    actor, critic = nn.Linear(4, 1), nn.Linear(4, 1)
    steps = [torch.optim.SGD(model.parameters(), lr=1e-3) for model in (actor, critic)]
    summed = torch.zeros(())
    with assert_no_graph_growth():
        for number in range(150):
            states = torch.randn(4, 4)
            summed = summed + actor(states).mean()
            critic.zero_grad()
            critic(states).mean().backward()
            steps[1].step()
            if number % 50 == 49:
                actor.zero_grad()
                summed.backward()
                steps[0].step()
                summed = torch.zeros(())


def drawn_from_an_energy(iterations: int = ITERATIONS) -> None:
    model, kept = nn.Linear(4, 1), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(iterations):
        model.requires_grad_(False)
        x = torch.randn(3, 4)
        for _ in range(5):
            x.requires_grad_()
            (gradient,) = torch.autograd.grad(model(x).sum(), x)
            x = x.detach() - 0.1 * gradient
        model.requires_grad_(True)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(loss)


def test_samples_that_are_drawn_ahead_of_a_step_are_no_iterations():
    assert "since iteration 1" in growth(drawn_from_an_energy)
