"""Every way a training process ends, and every part of the agent made to fail, for real."""

from __future__ import annotations

from gradwatch_agent import wire

from .test_processes import JOBS, TRAIN

ENDINGS = """
def sigterm():
    os.kill(os.getpid(), signal.SIGTERM)

def exit_by_sys():
    sys.exit(3)

def exit_by_os():
    os._exit(4)

def fails_in_atexit():
    atexit.register(lambda: 1 / 0)
    sys.exit(0)

def fails_in_a_helping_thread():
    quiet = threading.Thread(target=lambda: 1 / 0)
    quiet.start()
    quiet.join()
    sys.exit(0)

def fails_in_a_training_thread():
    def trains():
        train(3)
        raise KeyError("in a thread")
    training = threading.Thread(target=trains)
    training.start()
    training.join()
    sys.exit(0)

def ends_while_a_training_thread_waits():  # in the engine itself, bare torch aborts there
    begun = threading.Event()
    def trains():
        train(3)
        begun.set()
        threading.Event().wait()
    threading.Thread(target=trains, daemon=True).start()
    begun.wait(20)
    sys.exit(0)

def ends_in_the_first_iteration():
    torch.ones(2, requires_grad=True).sum().backward(inputs=None)
    sys.exit(0)

def becomes_another_program():
    os.execv("/bin/sh", ["sh", "-c", "exit 9"])
"""


def test_each_way_to_end_is_the_scripts_own(forked):
    ended = forked.run(
        f"""
import atexit, os, signal, sys, threading, torch, gradwatch_agent.auto
{JOBS}{TRAIN}{ENDINGS}
torch.set_num_threads(1)
for end in (sigterm, exit_by_sys, exit_by_os, fails_in_atexit, fails_in_a_helping_thread,
            fails_in_a_training_thread, ends_while_a_training_thread_waits,
            ends_in_the_first_iteration,
            becomes_another_program):
    sys.stdout.flush()
    if (pid := os.fork()) == 0:
        sys.stderr = open(os.devnull, "w")
        os.environ["GRADWATCH_NAME"] = end.__name__
        train(3)
        end()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print(end.__name__, code, jobs() - 1)
"""
    )
    assert ended.out.splitlines() == [
        "sigterm -15 0",
        "exit_by_sys 3 0",
        "exit_by_os 4 0",
        "fails_in_atexit 0 0",
        "fails_in_a_helping_thread 0 0",
        "fails_in_a_training_thread 0 0",
        "ends_while_a_training_thread_waits 0 0",
        "ends_in_the_first_iteration 0 0",
        "becomes_another_program 9 0",
    ]
    assert [(found.kind, "in a thread" in found.message) for found in ended.findings] == [
        ("crashed", True)
    ]
    assert ended.err == ""


def test_a_failing_look_at_memory_switches_off_that_part_alone(forked):
    ended = forked.run(
        f"""
import torch, gradwatch_agent
from gradwatch_agent.link.memory import MemorySampler
{JOBS}{TRAIN}
def fails(*args):
    raise OSError("no such thing")
MemorySampler.look = fails
with gradwatch_agent.watch():
    session = gradwatch_agent.running._session
    while not session.off:
        train(1)
    train(3)
    assert session._publisher.flush(10)
    print(jobs(), threads())
""",
        tapped=True,
    )
    assert (ended.code, ended.out) == (0, "1 1\n")
    assert ended.of(wire.Beat)[-1].off == ("memory: OSError: no such thing",)
    assert ended.err.count("gradwatch: memory failed and is off") == 1


def test_where_a_note_fails_torch_writes_its_own(forked):
    ended = forked.run(
        f"""
import torch, gradwatch_agent
from gradwatch_agent.lines.capture import Window
{TRAIN}
def fails(*args):
    raise RuntimeError("no words")
Window._note = fails
with gradwatch_agent.watch():
    weight = torch.ones(2, requires_grad=True)
    node = (weight * 2).grad_fn
    print(__file__ in "".join(node.metadata["traceback_"]), torch.is_anomaly_enabled())
    train(3)
""",
        tapped=True,
    )
    assert (ended.code, ended.out) == (0, "True True\n")
    assert ended.of(wire.Beat)[-1].off == ("lines: RuntimeError: no words",)
    assert ended.err.count("gradwatch: lines failed and is off") == 1


def test_where_nothing_can_listen_the_log_gets_what_is_found(forked):
    forked.run_directory.mkdir(mode=0o755)
    ended = forked.run(
        """
import torch, gradwatch_agent.auto
x = torch.ones(3, requires_grad=True)
loss = (x * x).sum()
loss.backward()
try:
    loss.backward()
except RuntimeError:
    pass
"""
    )
    assert [found.kind for found in ended.findings] == ["second-backward"]
    assert ended.err.count("nobody can watch this job") == 1


MUCH = """
def much():  # of all that the agent does: a chain, a held graph, errors, marks, threads, optimizers
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    total, errors = torch.zeros(()), []
    for i in range(10):
        loss = model(torch.ones(2, 4)).square().sum()
        total = total + loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for i in range(4):
        state = torch.ones(4, requires_grad=True) * 2
        for t in range(6):
            state = state * 1.5
            optimizer.zero_grad()
            (model(state).sum()).backward(retain_graph=True)
            optimizer.step()
            gradwatch_agent.iteration()
    loss = model(torch.ones(2, 4)).square().sum()
    loss.backward()
    for wrong in (loss.backward, lambda: torch.ones(2).sum().backward()):
        try:
            wrong()
        except RuntimeError as error:
            errors.append(str(error))
    other = threading.Thread(target=train, args=(3,))
    other.start()
    other.join()
    return [weight.tolist() for weight in model.parameters()], errors
"""


def test_each_call_that_guards_the_job_may_fail(forked):
    ended = forked.run(
        f"""
import os, json, logging, pickle, threading, torch, gradwatch_agent
from gradwatch_agent.guard import Guard
torch.set_num_threads(1)
torch.optim.SGD([torch.zeros(1)])  # its imports, once
{TRAIN}{MUCH}
guarded = Guard.call

def told(what):
    "What a child process that is forked for it tells."
    reading, writing = os.pipe()
    if (pid := os.fork()) == 0:
        with os.fdopen(writing, "wb") as out:
            pickle.dump(what(), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        told = pickle.load(answer)
    os.waitpid(pid, 0)
    return told

def watched(broken=None):
    made = set()
    def call(self, part, function, *args):
        name = part + " " + getattr(function, "__qualname__", type(function).__name__)
        made.add(name)
        if name == broken:
            def function(*args):
                raise ArithmeticError(broken)
        return guarded(self, part, function, *args)
    Guard.call = call
    logging.disable()
    with gradwatch_agent.watch():
        done = much()
        session = gradwatch_agent.running._session
    return done, made, session.off

bare = told(much)
whole, made, off = told(watched)
assert whole == bare and off == (), off
for name in sorted(made):
    done, called, off = told(lambda: watched(name))
    # What has but little time may not have come to it.
    failed = f"{{name.split()[0]}}: ArithmeticError: {{name}}"
    unlike = [pair for pair in zip(done, bare) if pair[0] != pair[1]]
    print(name, not unlike, off == ((failed,) if name in called else ()), unlike or "", sep="|")
"""
    )
    assert (ended.code, ended.err) == (0, "")
    told = [line.split("|", 3) for line in ended.out.splitlines()]
    assert {name.split()[0] for name, *_ in told} >= {
        "diagnosis", "hooks", "lines", "memory", "publisher", "records", "rest", "witness",
    }  # fmt: skip
    assert [(name, unlike) for name, same, _, unlike in told if same != "True"] == []
    assert [name for name, _, said, _ in told if said != "True"] == []
    assert len(told) >= 19
