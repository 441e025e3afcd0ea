"""A backward on what has no graph is told where that was cut."""

from __future__ import annotations

import contextlib
import gc
import inspect
import os
import pkgutil
import re
import runpy
import weakref
from pathlib import Path
from typing import ClassVar

import pytest
import torch
from torch import nn

from . import severed
from .cases import changed, name_of, places, unload
from .severed import choices, detached, numbers, stores, weights


def is_job(function) -> bool:
    helper = function.__name__ in ("data", "quietly")
    return not helper and not inspect.signature(function).parameters


JOBS = places(severed, is_job)


def marked(job) -> set[str]:
    """The lines with a mark in the job itself; else those of its file with its name for a mark."""
    lines, first = inspect.getsourcelines(job)
    own = {first + n for n, line in enumerate(lines) if line.endswith("# <-\n")}
    file = Path(inspect.getfile(job))
    named = enumerate(file.read_text().splitlines(), 1)
    found = own or {n for n, line in named if line.endswith(f"# <- {job.__name__}")}
    return {f"{file.name}:{n}" for n in found}


@pytest.mark.parametrize("place", JOBS, ids=name_of)
def test_it_is_told_at_what_cuts(watching, place):
    job = pkgutil.resolve_name(place)
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        job()
    [note] = caught.value.__notes__
    assert re.search(r"\w+\.py:\d+", note)[0] in marked(job), note
    assert "change: " in note


def kept(job, line: int, change: str):
    """The job with the change in that line, as a function of the same module."""
    lines, first = inspect.getsourcelines(job)
    indent = re.match(" *", lines[line - first])[0]
    lines[line - first] = f"{indent}{change}\n"
    return changed(job, lines)


@pytest.mark.parametrize(
    "job",
    [
        detached.a_detach,
        choices.a_gradient_without_a_graph_of_its_own,
        numbers.a_list_made_one_tensor,
        numbers.a_list_taken_for_a_tensor,
        numbers.a_list_that_a_function_hands_back,
        numbers.a_mean_by_numpy,
        numbers.floats_made_one_tensor,
        numbers.a_sine_and_a_cosine_of_numbers,
        stores.one_that_is_appended,
        detached.the_student_and_not_the_targets,
    ],
)
def test_what_it_says_to_write_keeps_the_graph(watching, job):
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        job()
    line, change = re.search(
        r":(\d+) .*\n  change: Keep the graph: `([^`]+)`", caught.value.__notes__[0]
    ).groups()
    kept(job, int(line), change)()


def test_what_is_trained_itself_is_to_be_changed_in_place(watching):
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        weights.steps_by_hand()
    assert "as by `w.copy_(w - 0.1 * w.grad)`" in caught.value.__notes__[0]


def test_what_is_drawn_is_to_be_drawn_so_that_gradients_pass(watching):
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        numbers.a_draw_that_has_no_gradient()
    assert "Draw it by `drawn = about.rsample()`" in caught.value.__notes__[0]


def test_where_torch_is_left_it_is_to_be_stayed_with(watching):
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        numbers.distances_by_numpy()
    [note] = caught.value.__notes__
    assert "Leave it out: `z = np.asarray(z.detach())`, and go on with functions of torch." in note
    assert "`torch.from_numpy((z ** 2).sum(1))`, further on, cuts as well." in note


def test_all_that_a_statement_hands_to_numpy_stays_with_torch(watching):
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        numbers.a_difference_of_arrays()
    assert "Keep the graph: `apart = net(x) - y`" in caught.value.__notes__[0]


class Hostile:
    """Whatever is asked of it is noted."""

    asked: ClassVar[list[str]] = []

    def __getattribute__(self, name):
        Hostile.asked.append(name)
        return object.__getattribute__(self, name)

    def __eq__(self, other):
        Hostile.asked.append("__eq__")
        return True

    def __hash__(self):
        return hash("loss")

    def __call__(self, x):
        return x.detach()


def test_what_is_followed_is_not_asked_anything(watching):
    cut = Hostile()
    parts = {cut: torch.zeros(()), "loss": cut(nn.Linear(4, 1)(torch.randn(2, 4))).mean()}
    loss = parts["loss"]
    Hostile.asked.clear()
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        loss.backward()
    assert Hostile.asked == []
    assert "has no graph" in caught.value.__notes__[0]


def test_nothing_is_kept_of_what_was_looked_at(watching):
    def job():
        out = nn.Linear(4, 1)(torch.randn(2, 4)).detach()
        seen.append(weakref.ref(out))
        with contextlib.suppress(RuntimeError):
            out.mean().backward()

    seen: list[weakref.ref] = []
    gc.disable()
    try:
        with watching():
            job()
            assert seen[0]() is None
    finally:
        gc.enable()


UNTOLD = {
    "a callee that is not known": """
def made(): return torch.nn.Linear(4, 1)
nets = {"a": made()}
pick = eval("lambda x: nets['a'](x).detach()")
loss = pick(torch.randn(2, 4)).mean()
""",
    "a switch that may have been on": """
import random
net, mode = torch.nn.Linear(4, 1), random.choice(["fit", "fit"])
def out(stage):
    with torch.set_grad_enabled(stage.strip() != "val"):
        return hidden(net(torch.randn(2, 4)))
hidden = eval("lambda x: x.detach()")
loss = out(mode).mean()
""",
    "the only weights frozen are others": """
teacher = torch.nn.Linear(4, 1)
teacher.requires_grad_(False)
net = torch.nn.Linear(4, 1)
vars(torch.nn.Module)["requires_grad_"](net, False)
loss = net(torch.randn(2, 4)).mean()
""",
}
"""Where what cut is out of sight: nothing else is to be blamed."""


@pytest.fixture
def noted(watching, tmp_path, monkeypatch):
    """The note on the error by which the text of a program ends."""

    def noted(text: str) -> str:
        unload(severed, monkeypatch)  # which freezes much
        script = tmp_path / "job.py"
        script.write_text(f"import torch\n{text}")
        os.utime(script, (0, 0))  # what was written since the process began is not what it runs
        try:
            with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
                runpy.run_path(str(script), run_name="__main__")
        finally:
            torch.set_grad_enabled(True)
        return caught.value.__notes__[0]

    return noted


@pytest.mark.parametrize("text", UNTOLD.values(), ids=UNTOLD)
def test_where_it_is_not_seen_what_made_the_loss_is_told(noted, text):
    assert re.search(r"job\.py:\d+  (loss = |return nets)", noted(f"{text}loss.backward()\n"))


BY_GROUPS = """
net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 1))

class Stopper:
    def __init__(self, groups):
        self.groups = groups

    def stop(self, number):
        group = self.groups[number]
        for each in group:
            each.requires_grad_(False)

optimizer = torch.optim.SGD(net.parameters(), 0.1)
stopper = Stopper([list(layer.parameters()) for layer in net])
stopper.stop(0)
stopper.stop(1)
loss = net(torch.randn(2, 4)).mean()
"""


BY_A_FLAG = """
def freeze(model, flag):
    if flag:
        for each in model.parameters():
            each.requires_grad_(False)

def prepared(model, flag):
    freeze(model, flag)
    return model

net = prepared(torch.nn.Linear(4, 1), True)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loss = net(torch.randn(2, 4)).mean()
"""


BY_ANOTHER_NAME = """
def fresh(of):
    target = torch.nn.Linear(4, 1)
    target.load_state_dict(of.state_dict())
    for name, each in target.named_parameters():
        each.requires_grad_(False)
    return target

def teacher():
    wise = torch.nn.Linear(4, 1)
    wise.requires_grad_(False)
    return wise

guide = teacher()
net = fresh(guide)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loss = net(torch.randn(2, 4)).mean()
"""


@pytest.mark.parametrize(
    "text",
    [BY_GROUPS, BY_A_FLAG, BY_ANOTHER_NAME],
    ids=["by groups", "by a flag", "by another name"],
)
def test_the_statement_that_freezes_is_told_whatever_it_calls_them(noted, text):
    assert "each.requires_grad_(False)" in noted(f"{text}loss.backward()\n")


BY_A_LISTENER = """
class Report:
    def epoch_done(self, net):
        torch.set_grad_enabled(False)
        return net(torch.randn(2, 4)).mean().item()

class Export:
    def write(self, net):
        torch.set_grad_enabled(False)  # nobody does

def tell(listeners, event, *args):
    for listener in listeners:
        getattr(listener, event)(*args)

net = torch.nn.Linear(4, 1)
for _ in range(2):
    loss = net(torch.randn(2, 4)).mean()
    loss.backward()
    tell([Report()], "epoch_done", net)
"""


def test_what_was_switched_off_by_whom_something_is_told(noted):
    assert "job.py:5  torch.set_grad_enabled(False)" in noted(BY_A_LISTENER)


ON_ONE_LINE = """
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
def trained(x):
    out = net(x).detach()  # here
    cost = out.pow(2).mean()
    optimizer.zero_grad(); cost.backward(); optimizer.step()
x = torch.randn(2, 4); trained(x); print(x)
"""


def test_of_several_statements_on_one_line_the_one_that_calls_backward_is_meant(noted):
    note = noted(ON_ONE_LINE)
    assert "`cost`" in note
    assert "job.py:6  out = net(x).detach()  # here" in note
