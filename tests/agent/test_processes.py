"""The agent in odd processes: forked, spawned, without torch, failing, leaving early."""

from __future__ import annotations

import pytest

from gradwatch_agent import wire

TRAIN = """
def train(iterations, seed=0):
    torch.manual_seed(seed)
    model = torch.nn.Linear(4, 4)
    for _ in range(iterations):
        model(torch.ones(2, 4)).sum().backward()
        step(model)
        model.zero_grad()
    return model.weight.sum().item()

def step(model):  # an optimizer's first costs two seconds of imports
    for p in model.parameters():
        p.data -= 0.1 * p.grad
"""
JOBS = """
import threading
from gradwatch_agent import runfile

def jobs():
    return len(runfile.running())

def threads():
    return sum(thread.name.startswith("gradwatch") for thread in threading.enumerate())
"""


@pytest.mark.parametrize(
    "imports",
    [
        "import gradwatch_agent.auto\nassert 'torch' not in sys.modules\nfrom torch import nn",
        "import torch\nimport gradwatch_agent.auto\nimport gradwatch_agent.auto",
    ],
    ids=["before a part of torch", "after torch, twice"],
)
def test_the_one_line_may_stand_before_and_after_torch(children, imports):
    ended = children.run(
        f"import sys\n{imports}\nimport torch\n{JOBS}\n{TRAIN}\n"
        "assert (jobs(), threads()) == (1, 1)\ntrain(3)\n"
        "assert torch.__spec__.loader.__class__.__module__.startswith(('_frozen', 'importlib'))"
    )
    assert (ended.code, ended.err) == (0, "")
    assert ended.run_directory == []


@pytest.mark.parametrize(
    "first",
    [
        "import gradwatch_agent\ngradwatch_agent.watch()",
        "import gradwatch_agent.stretch",
    ],
    ids=["a handle", "a block"],
)
def test_what_imports_torch_itself_goes_with_the_one_line_that_waits_for_it(children, first):
    ended = children.run(
        f"import gradwatch_agent.auto\n{first}\nimport sys, torch\n{JOBS}\n{TRAIN}\n"
        "train(3)\nassert jobs() == 1"
    )
    assert ended.code == 0, ended.err
    assert "failed" not in ended.err


@pytest.mark.parametrize(
    "text",
    [
        "import gradwatch_agent.auto",
        "import gradwatch_agent\ngradwatch_agent.iteration()",
        "import gradwatch_agent.auto\ntry:\n    import torchless\nexcept ImportError:\n    pass",
    ],
)
def test_without_torch_nothing_happens(children, text):
    ended = children.run(
        f"import sys, threading\n{text}\n"
        "print('torch' in sys.modules, 'zmq' in sys.modules, threading.active_count())"
    )
    assert (ended.out, ended.err) == ("False False 1\n", "")
    assert ended.run_directory == []


def test_switched_off_it_does_nothing_at_all(children):
    ended = children.run(
        f"""
import sys, torch
before = torch.autograd._engine_run_backward, sys.excepthook
import gradwatch_agent.auto
watch = gradwatch_agent.watch(name="run-7")
gradwatch_agent.iteration()
assert before == (torch.autograd._engine_run_backward, sys.excepthook)
{JOBS}
assert (jobs(), threads(), watch.running) == (0, 0, False)
with watch:
    pass
print("zmq" in sys.modules)
raise KeyError("no such key")
""",
        GRADWATCH_OFF="1",
    )
    assert ended.err.endswith("KeyError: 'no such key'\n")
    assert (ended.findings, ended.run_directory) == ([], [])


def test_a_second_watch_is_the_running_one(forked):
    ended = forked.run(
        f"""
import torch, gradwatch_agent
{JOBS}
first = gradwatch_agent.watch(name="one")
second = gradwatch_agent.watch(name="two")
assert jobs() == threads() == 1
assert [job.job for job in runfile.running()] == ["one"]
second.stop()
assert not first.running and not second.running and jobs() == threads() == 0
third = gradwatch_agent.watch(name="three")
first.stop()
assert third.running and [job.job for job in runfile.running()] == ["three"]
"""
    )
    assert (ended.code, ended.err) == (0, "")


def test_iterations_marked_by_hand(forked):
    ended = forked.run(
        f"""
import torch, gradwatch_agent.auto
{TRAIN}
for _ in range(10):
    train(3)
    gradwatch_agent.iteration()
""",
        tapped=True,
    )
    records = ended.of(wire.Iteration)
    assert [record.number for record in records] == list(range(len(records)))
    assert [record.backwards for record in records[-9:]] == [3] * 9


def test_a_forked_child_is_no_job_until_it_trains(forked):
    ended = forked.run(
        f"""
import os, sys, torch, gradwatch_agent.auto
{JOBS}{TRAIN}
torch.set_num_threads(1)

def child(work):
    sys.stdout.flush()
    if (pid := os.fork()) == 0:
        work()
        sys.stdout.flush()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0

def infers():
    torch.nn.Linear(4, 4)(torch.ones(2, 4))
    print("infers", jobs(), threads(), torch.is_anomaly_enabled())

def trains():
    print("trains", train(3) == alone, jobs(), threads())

child(infers)
alone = train(3)
child(infers)
child(trains)
train(30)
print("parent", jobs(), threads())
""",
        tapped=False,
    )
    assert ended.err == ""
    assert ended.out.splitlines() == [
        "infers 1 0 False",
        "infers 1 0 False",
        "trains True 2 1",
        "parent 1 1",
    ]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_loader_workers_are_no_jobs(forked, method):
    ended = forked.run(
        f"""
import torch, gradwatch_agent.auto
from torch.utils.data import DataLoader, Dataset
{JOBS}{TRAIN}

class Numbers(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, index):
        return torch.tensor([jobs(), threads()])

if __name__ == "__main__":
    train(1)
    loader = DataLoader(Numbers(), batch_size=4, num_workers=2, multiprocessing_context={method!r})
    seen = torch.cat(list(loader))
    train(3)
    print(seen.unique(dim=0).tolist(), jobs())
"""
    )
    assert (ended.out, ended.err) == ("[[1, 0]] 1\n", "")
    assert ended.run_directory == []


def test_an_uncaught_exception_is_told_once(children):
    ended = children.run(
        f"""
import torch, gradwatch_agent.auto
{TRAIN}
train(5)
raise KeyError("no such key")
""",
        tapped=True,
    )
    (found,) = ended.findings
    assert (found.kind, found.level, found.state) == ("crashed", "critical", "raised")
    assert (found.iteration, "KeyError: 'no such key'" in found.message) == (5, True)
    assert (found.code, found.holder) == ('raise KeyError("no such key")', None)
    (bye,) = ended.of(wire.Bye)
    assert (bye.reason, bye.error, bye.iteration) == ("crashed", "KeyError: 'no such key'", 4)
    assert ended.code == 1
    assert ended.err.endswith("KeyError: 'no such key'\n")


@pytest.mark.parametrize(
    ("trains", "error", "kinds"),
    [(True, "KeyError", ["crashed"]), (True, "SystemExit", []), (False, "KeyError", [])],
    ids=["it trains", "it ends", "it does not train"],
)
def test_an_uncaught_exception_in_a_thread(forked, trains, error, kinds):
    ended = forked.run(
        f"""
import threading, torch, gradwatch_agent.auto
{TRAIN}
def work():
    if {trains}:
        train(5)
    raise {error}("over")
thread = threading.Thread(target=work)
thread.start()
thread.join()
"""
    )
    assert [found.kind for found in ended.findings] == kinds
    assert (ended.code, error in ended.err) == (0, error == "KeyError")


def test_an_exception_that_a_finding_explained_is_not_told_again(forked):
    ended = forked.run(
        """
import torch, gradwatch_agent.auto
x = torch.ones(3, requires_grad=True)
loss = (x * x).sum()
loss.backward()
try:
    loss.backward()
except RuntimeError as error:
    raise ValueError("training failed") from error
""",
        tapped=True,
    )
    assert [found.kind for found in ended.findings] == ["second-backward"]
    assert ended.of(wire.Bye)[0].reason == "crashed"


SIGINT = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.05)
train(1_000_000)
"""
"""While a backward is as likely to run as anything else."""


@pytest.mark.parametrize(
    ("ending", "code", "byes"),
    [
        ("sys.exit(3)", 3, [("finished", None)]),
        ("raise KeyboardInterrupt", -2, [("finished", "interrupted by Ctrl+C")]),
        (SIGINT, -2, [("finished", "interrupted by Ctrl+C")]),
        ("os._exit(4)", 4, []),
    ],
)
def test_other_ends_are_no_crash(children, ending, code, byes):
    ended = children.run(
        f"import os, sys, torch, gradwatch_agent.auto\n{TRAIN}\ntrain(2)\n{ending}", tapped=True
    )
    assert (ended.code, ended.findings) == (code, [])
    assert [(bye.reason, bye.error) for bye in ended.of(wire.Bye)] == byes


def test_a_block_that_ends_by_an_exception_has_crashed(forked):
    ended = forked.run(
        f"""
import torch, gradwatch_agent
{TRAIN}
with gradwatch_agent.watch():
    train(2)
    raise KeyError("no such key")
""",
        tapped=True,
    )
    assert [found.kind for found in ended.findings] == ["crashed"]
    assert [bye.reason for bye in ended.of(wire.Bye)] == ["crashed"]


def test_an_exception_without_words_is_no_trouble(children):
    ended = children.run(
        f"""
import torch, gradwatch_agent.auto
{TRAIN}
class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")
train(2)
raise Mute
""",
        tapped=True,
    )
    assert "Error in sys.excepthook" not in ended.err
    assert ended.code == 1
    assert [bye.reason for bye in ended.of(wire.Bye)] == ["crashed"]


def test_a_hook_that_fails_leaves_training_alone(forked):
    ended = forked.run(
        f"""
import torch, gradwatch_agent
from gradwatch_agent.loop.lane import Lane
{TRAIN}
torch.set_num_threads(1)
step = lambda model: torch.optim.SGD(model.parameters(), lr=0.1).step()
right = train(20)

def fails(*args, **kwargs):
    raise RuntimeError("a fault of the agent's own")

for hook in ("before", "after", "stepped"):
    real = getattr(Lane, hook)
    setattr(Lane, hook, fails)
    with gradwatch_agent.watch():
        print(train(20) == right, torch.is_anomaly_enabled())
    setattr(Lane, hook, real)
""",
        tapped=True,
    )
    assert (ended.code, ended.out.splitlines()) == (0, ["True False"] * 3)
    assert ended.err.count("gradwatch: hooks failed and is off") == 3
    off = [beat.off for beat in ended.of(wire.Beat)]
    assert off == [("hooks: RuntimeError: a fault of the agent's own",)] * 3


@pytest.mark.parametrize("part", ["rest", "flush"])
def test_a_farewell_that_fails_leaves_the_script_alone(children, part):
    ended = children.run(
        f"""
import torch, gradwatch_agent.auto
from gradwatch_agent.loop.lane import Lane
{TRAIN}
train(3)

def fails(*args, **kwargs):
    raise RuntimeError("a fault of the agent's own")

Lane.{part} = fails
""",
        tapped=True,
    )
    assert ended.code == 0
    assert "atexit" not in ended.err
    assert [bye.reason for bye in ended.of(wire.Bye)] == ["finished"]


def test_a_torch_too_old_is_refused_and_training_goes_on(forked):
    ended = forked.run(
        f"""
import sys, torch
torch.__version__ = "2.3.1"
import gradwatch_agent.auto
{JOBS}{TRAIN}
train(3)
assert not gradwatch_agent.watch().running
print(jobs(), threads(), torch.autograd._engine_run_backward.__module__)
"""
    )
    assert (ended.code, ended.out) == (0, "0 0 torch.autograd.graph\n")
    assert "torch 2.3.1 is too old: gradwatch needs 2.4 or newer" in ended.err
    assert "training goes on unwatched" in ended.err


def test_where_nothing_can_be_published_training_goes_on(forked):
    forked.run_directory.mkdir(mode=0o755)
    ended = forked.run(
        f"""
import torch, gradwatch_agent.auto
{JOBS}{TRAIN}
train(3)
print(threads(), torch.is_anomaly_enabled())
""",
        GRADWATCH_LOG="",
    )
    assert (ended.code, ended.out) == (0, "0 False\n")
    assert ended.err.startswith("gradwatch: nobody can watch this job: ")
    assert len(ended.err.splitlines()) == 1


def test_where_tcp_has_no_keys_the_line_says_so(forked, tmp_path):
    ended = forked.run(
        f"""
import torch, gradwatch_agent.auto
{JOBS}{TRAIN}
train(3)
print(threads(), torch.is_anomaly_enabled())
""",
        GRADWATCH_LOG="",
        GRADWATCH_KEYS=str(tmp_path / "none"),
        GRADWATCH_ENDPOINT="tcp://127.0.0.1:5555",
    )
    assert (ended.code, ended.out) == (0, "0 False\n")
    assert ended.err.startswith("gradwatch: nobody can watch this job: tcp://127.0.0.1:5555: TCP ")
    assert len(ended.err.splitlines()) == 1


def test_what_was_being_traced_ends_with_the_script_though_nothing_is_published(children):
    children.run_directory.mkdir(mode=0o755)
    ended = children.run(
        """
import torch, gradwatch_agent.auto
weight, carried = torch.ones(3, requires_grad=True), torch.zeros(3)
for _ in range(5):  # the chain is told after the fifth: the sixth would be traced
    carried = carried + weight * 2
    (carried - 1).pow(2).mean().backward(retain_graph=True)
    weight.data -= 0.001 * weight.grad
    weight.grad = None
""",
        GRADWATCH_LOG="",
    )
    assert (ended.code, len(ended.err.splitlines())) == (0, 1), ended.err
