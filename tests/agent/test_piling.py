"""Hooks that each iteration registers and none removes: `memory-climb`, by their number."""

import pytest

JOB = """
import torch
from torch import nn
from torch.utils.hooks import RemovableHandle

made = RemovableHandle.__init__
net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), 0.01)
seen = []

def look(module, given, output):
    seen[:] = [output.detach().mean().item()]

{before}
for number in range({count}):
    {within}
    optimizer.zero_grad()
    net(torch.randn(8, 4)).square().mean().backward()
    optimizer.step()
    {behind}
{after}
assert RemovableHandle.__init__ is made
"""


def job(within, behind="pass", before="", after="", count=40):
    return JOB.format(within=within, behind=behind, before=before, after=after, count=count)


def raised(checked, text):
    return [each for each in checked(text).findings if each.state == "raised"]


@pytest.mark.parametrize(
    ("within", "holder"),
    [
        ("net[0].register_forward_hook(look)", "net[0]._forward_hooks"),
        ("net[2].register_full_backward_hook(lambda *_: None)", "net[2]._backward_hooks"),
        ("net[0].weight.register_hook(lambda slope: None)", "net[0].weight"),
    ],
)
def test_they_are_told_by_the_statement_and_what_has_them(checked, within, holder):
    (found,) = raised(checked, job(within))
    assert (found.kind, found.holder, found.code) == ("memory-climb", holder, within)
    assert found.since_iteration <= 5
    assert found.iteration <= 24
    assert found.level == "info"  # early to say
    assert "handle.remove()" in found.suggestion


def test_what_every_few_iterations_add_is_told_too(checked):
    within = "number % 3 or net.register_forward_hook(look)"
    (found,) = raised(checked, job(within, count=120))
    assert (found.kind, found.holder, found.code) == ("memory-climb", "net._forward_hooks", within)


@pytest.mark.parametrize(
    ("within", "behind", "before"),
    [
        ("handle = net[0].register_forward_hook(look)", "handle.remove()", ""),
        ("x = net[0].weight * 1; x.register_hook(lambda slope: None)", "x.sum().backward()", ""),
        ("number < 9 and parts[number].register_forward_hook(look)", "pass", "parts = [*net] * 3"),
        (
            "handles.append(net.register_forward_hook(look))",
            "len(handles) == 8 and [handles.pop().remove() for _ in range(8)]",
            "handles = []",
        ),
    ],
    ids=["each removed", "on what goes", "each part in its turn", "removed together"],
)
def test_those_that_do_not_pile_up_are_no_fault(checked, within, behind, before):
    assert not raised(checked, job(within, behind, before))


def test_where_they_keep_graphs_that_is_the_one_fault(checked):
    within = "kept = []; net.register_forward_hook(lambda m, i, out, kept=kept: kept.append(out))"
    assert [each.kind for each in raised(checked, job(within))] == ["graph-held"]


def test_nobody_hears_of_hooks_any_more_when_the_job_is_no_longer_watched(checked):
    within = "net[0].register_forward_hook(look)"
    heard = "assert RemovableHandle.__init__ is not made"
    stop = "gradwatch_agent.watch().stop()"
    assert not raised(checked, job(within, after=f"{heard}; {stop}", count=9))


def test_so_many_of_them_are_an_alarm(checked):
    found = checked(job("net[0].register_forward_hook(look)", count=90)).findings[-1]
    assert (found.kind, found.level, found.state) == ("memory-climb", "warning", "updated")


def test_once_all_that_were_to_be_set_up_are_it_is_over(checked):
    told = checked(job("number < 24 and net[0].register_forward_hook(look)", count=80)).findings
    assert [(each.level, each.state) for each in told][-1] == ("info", "resolved")
