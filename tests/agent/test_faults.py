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


def test_each_way_to_end_is_the_scripts_own(children):
    ended = children.run(
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


def test_a_failing_look_at_memory_switches_off_that_part_alone(children):
    ended = children.run(
        f"""
import torch, gradwatch_agent
from gradwatch_agent.memory import MemorySampler
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


def test_where_a_note_fails_torch_writes_its_own(children):
    ended = children.run(
        f"""
import torch, gradwatch_agent
from gradwatch_agent.capture import Window
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


def test_where_nothing_can_listen_the_log_gets_what_is_found(children):
    children.run_directory.mkdir(mode=0o755)
    ended = children.run(
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
