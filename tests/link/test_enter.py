"""The agent put into a process that runs already, by a real debugger."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from gradwatch import entering
from gradwatch.entering import CannotEnter, enter, try_on_another
from gradwatch_agent import wire

from .terminal import DRAWN, leave, opened


@pytest.fixture(scope="module")
def lacks() -> str:
    """Why nothing can be entered on this machine; empty if it can."""
    if sys.version_info >= (3, 14):
        return ""
    if shutil.which("gdb") is None:
        return "gdb is not installed here"
    try:
        try_on_another(os.getpid())
    except CannotEnter as why:
        return str(why)
    return ""


@pytest.fixture
def _able(lacks):
    if lacks:
        pytest.skip(lacks)


able = pytest.mark.usefixtures("_able")

WAIT = """
import select, sys

def wait():
    print("ready", flush=True)
    while not select.select([sys.stdin], [], [], 0.01)[0]:  # comes to Python now and then
        pass
    sys.stdin.readline()
"""

TRAIN = f"""
{WAIT}
import torch

def train(halfway):
    w, carried = torch.ones(3, requires_grad=True), torch.zeros(3)
    for number in range(60):
        if number == 20:
            halfway()
        carried = carried + w * 2
        (carried - 1).pow(2).mean().backward(retain_graph=True)
        w.data -= 0.01 * w.grad
        w.grad = None
    return w.tolist()

alone = train(lambda: None)
print("the same" if train(wait) == alone else "changed", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def child():
    """A Python that runs the text, which says when it is ready."""
    children = []

    def start(text: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(text)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        children.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield start
    for process in children:
        process.kill()
        process.communicate()


def go_on(process: subprocess.Popen[str]) -> str:
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline()


@able
def test_a_training_is_watched_from_then_on_and_stays_the_same(child, watch):
    entered = child(TRAIN)
    enter(entered.pid)
    watcher = watch()
    watcher.until(lambda: any(job.link.up for job in watcher.jobs.values()))
    assert go_on(entered) == "the same\n"
    (job,) = watcher.jobs.values()
    watcher.until(lambda: "graph-chain" in {finding.kind for finding in job.findings.values()})

    assert job.top.message.endswith("It may have begun before gradwatch was attached.")
    (hello,) = watcher.of(job.key, wire.Hello)
    assert (hello.pid, hello.attached) == (entered.pid, True)
    assert go_on(entered) == ""
    watcher.until(lambda: job.bye is not None)
    assert entered.stderr.read() == ""


@able
def test_the_command_enters_a_process_and_shows_it(child):
    entered = child(TRAIN)
    with opened("attach", str(entered.pid)) as terminal:
        terminal.shows(DRAWN, f"pid {entered.pid}".encode(), b"live")
        assert go_on(entered) == "the same\n"
        terminal.shows(b"GRAPH GROWS")
        leave(terminal)
        assert terminal.end() == 0
    assert go_on(entered) == ""
    assert entered.stderr.read() == ""


@able
def test_the_command_refuses_what_cannot_be_entered_before_it_draws(child):
    process = child(WAIT + "wait()")
    with opened("attach", str(process.pid)) as terminal:
        assert terminal.end() == 3
    assert b"it has not imported torch" in terminal.output
    assert DRAWN not in terminal.output
    assert process.poll() is None


@able
def test_a_process_that_another_traces_cannot_be_entered(child, monkeypatch):
    monkeypatch.setattr(entering, "_SAFE_POINT_S", 0.5)
    process = child(
        """
        import ctypes, sys
        assert ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0
        print("ready", flush=True)
        sys.stdin.readline()
        print("unharmed", flush=True)
        """
    )
    by_python = sys.version_info >= (3, 14)  # which leaves its request all the same
    said = "did not come to a safe" if by_python else r"The kernel forbids .* traces it already"
    with pytest.raises(CannotEnter, match=said):
        enter(process.pid)
    assert go_on(process) == "unharmed\n"


@able
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_users_process_cannot_be_entered(child):
    process = child(WAIT + "wait()")
    text = f"""
        import os, traceback  # what is loaded later lies where that user may not look
        from gradwatch import entering
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        try:
            entering.enter({process.pid})
        except entering.CannotEnter as refusal:
            print(refusal)
    """
    refused = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=100
    )
    assert refused.stdout == (
        f"The kernel forbids to enter process {process.pid}: it is another user's, or this machine "
        "allows no tracing. `gradwatch run` starts a job with the agent in it.\n"
    ), refused.stderr


@able
def test_what_is_no_python_cannot_be_entered():
    with subprocess.Popen(["sleep", "60"]) as process:
        with pytest.raises(CannotEnter, match=f"Process {process.pid} is no Python"):
            enter(process.pid)
        assert process.poll() is None
        process.kill()
    with pytest.raises(CannotEnter, match="has ended"):
        enter(process.pid)


@able
def test_a_python_without_torch_or_without_the_agent_says_so(child):
    waits = WAIT + "{}\nwait()\n"
    process = child(waits.format(""))
    with pytest.raises(CannotEnter, match="it has not imported torch"):
        enter(process.pid)
    process = child(
        waits.format("sys.modules['torch'] = sys; sys.modules['gradwatch_agent'] = None")
    )
    with pytest.raises(CannotEnter, match="cannot be watched: "):
        enter(process.pid)
    assert process.poll() is None


@able
def test_a_main_thread_that_never_comes_to_python_is_left_alone(child, monkeypatch):
    monkeypatch.setattr(entering, "_SAFE_POINT_S", 0.5)
    process = child(
        """
        import sys, threading
        lock = threading.Lock()
        lock.acquire()
        def release():
            sys.stdin.readline()
            lock.release()
        threading.Thread(target=release).start()
        print("ready", flush=True)
        lock.acquire()
        print("unharmed", flush=True)
        """
    )
    with pytest.raises(CannotEnter, match="did not come to a safe point"):
        enter(process.pid)
    assert go_on(process) == "unharmed\n"
    assert process.communicate(timeout=20)[1] == ""


def test_without_a_debugger_python_itself_lets_it_in_or_it_is_told_what_to_do(
    child, watch, monkeypatch
):
    monkeypatch.setenv("PATH", "/nowhere")
    process = child(TRAIN)
    if sys.version_info < (3, 14):
        with pytest.raises(CannotEnter, match="needs gdb"):
            enter(process.pid)
        return
    enter(process.pid)
    watcher = watch()
    watcher.until(lambda: any(job.hello for job in watcher.jobs.values()))
    assert [job.hello.pid for job in watcher.jobs.values()] == [process.pid]
    assert go_on(process) == "the same\n"


def test_a_debugger_that_would_break_the_process_is_kept_from_it(child, lacks):
    if "registers" not in lacks:
        pytest.skip("no gdb here that does not know the processor's registers")
    process = child(TRAIN)
    with pytest.raises(CannotEnter, match="would break process"):
        enter(process.pid)
    assert go_on(process) == "the same\n"
    assert go_on(process) == ""
    assert process.stderr.read() == ""
