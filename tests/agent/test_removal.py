"""What is left when the agent has stopped: nothing."""

from __future__ import annotations

LOOK = """
import os, sys, threading, torch
from torch.optim import optimizer

def look():
    links = (os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd"))
    files = sorted(os.readlink(link) for link in links if os.path.exists(link))
    return {
        "engine": torch.autograd._engine_run_backward,
        "hooks": dict(optimizer._global_optimizer_post_hooks),
        "excepthook": sys.excepthook,
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "finders": list(sys.meta_path),
        "anomaly": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        "open files": [name for name in files if "/proc/" not in name],
        "sockets": sum(name.startswith("socket:") for name in files),
    }

def train(iterations, model=torch.nn.Linear(4, 4)):
    sgd = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(iterations):
        model(torch.ones(2, 4)).sum().backward()
        sgd.step()
        sgd.zero_grad()

torch.autograd.backward(torch.ones(1, requires_grad=True).sum())
before = look()

def compare():
    after = look()
    for name in before:
        assert before[name] == after[name], (name, before[name], after[name])
"""


def test_nothing_is_left_after_stop(forked):
    ended = forked.run(
        LOOK
        + """
import gradwatch_agent
compare()
for iterations in (0, 1, 40, 3):
    watch = gradwatch_agent.watch()
    assert watch.running
    assert torch.autograd._engine_run_backward is not before["engine"]
    train(iterations)
    watch.stop()
    assert not watch.running
    watch.stop()
    compare()
    train(3)
print("done")
"""
    )
    assert (ended.out, ended.err) == ("done\n", "")
    assert ended.run_directory == []


def test_nothing_is_left_when_a_block_ends(forked):
    ended = forked.run(
        LOOK
        + """
import gradwatch_agent
with gradwatch_agent.watch(name="a block") as watch:
    train(3)
compare()
try:
    with gradwatch_agent.watch():
        train(1)
        raise KeyError("no such key")
except KeyError:
    compare()
    print("done")
"""
    )
    assert (ended.out, ended.err) == ("done\n", "")
    assert ended.run_directory == []


def test_patches_that_others_laid_over_ours_are_left_alone(forked):
    ended = forked.run(
        LOOK
        + """
import gradwatch_agent
watch = gradwatch_agent.watch()
ours, our_hook = torch.autograd._engine_run_backward, sys.excepthook
theirs = lambda *args, **kwargs: ours(*args, **kwargs)
their_hook = lambda *args: our_hook(*args)
torch.autograd._engine_run_backward, sys.excepthook = theirs, their_hook
train(3)
watch.stop()
assert torch.autograd._engine_run_backward is theirs
assert sys.excepthook is their_hook
train(3)
gradwatch_agent.watch().stop()
train(3)
print("done")
raise KeyError("no such key")
"""
    )
    assert ended.out == "done\n"
    assert ended.err.endswith("KeyError: 'no such key'\n")
    assert ended.findings == []


def test_a_graph_that_outlives_the_agent_is_no_trouble(forked):
    ended = forked.run(
        LOOK
        + """
import gradwatch_agent
w = torch.ones(3, requires_grad=True)
y = torch.zeros(3)
for _ in range(3):
    with gradwatch_agent.watch():
        for _ in range(5):
            y = torch.tanh(y + w)
            y.sum().backward(retain_graph=True)
    y.sum().backward(retain_graph=True)
del y
compare()
print("done")
"""
    )
    assert (ended.out, ended.err) == ("done\n", "")
