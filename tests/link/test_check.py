"""`gradwatch check`: what it says of a script that fails, or that nobody waits for any longer."""

import json
import signal
import subprocess
from pathlib import Path

import msgspec
import pytest

from gradwatch_agent import wire

from .commands import DEADLINE_S, GRADWATCH, ran

TRAINS = """\
import itertools
import sys

import torch

w = torch.ones(3, requires_grad=True)
total = 0
for number in itertools.count():
    loss = (w * 2).sum()
    total = total + loss  # the leak
    loss.backward()
    w.grad = None
    if number == 11:
        print("trained", flush=True)
        if sys.argv[1:] == ["exit"]:
            sys.exit(3)
"""


@pytest.fixture
def script(tmp_path) -> Path:
    return tmp_path / "train.py"


def test_a_script_that_fails_is_told_with_its_exit_code(script):
    script.write_text("raise SystemExit(3)\n")
    done = ran("check", str(script))
    assert done.returncode == 4
    assert done.stdout == (
        f"{script}: failed before its first iteration ended; nothing was checked; "
        "the script ended with exit code 3\n"
    )
    told = json.loads(ran("check", "--json", str(script)).stdout)
    assert (told["exit_code"], told["error"], told["interrupted"]) == (3, None, False)


def test_so_it_is_after_some_iterations(script):
    script.write_text(TRAINS.replace("total + loss", "total + loss.item()"))
    done = ran("check", str(script), "exit")
    assert (done.returncode, done.stdout) == (
        4,
        f"trained\n{script}: 12 iterations, nothing found; the script ended with exit code 3\n",
    )


def test_one_that_catches_what_is_to_stop_it_is_ended_and_told(script):
    script.write_text(
        "import itertools, torch\n"
        "w = torch.ones(3, requires_grad=True)\n"
        "for number in itertools.count():\n"
        "    try:\n"
        "        (w * 2).sum().backward()\n"
        "        w.grad = None\n"
        "    except:\n"
        "        pass\n"
    )
    done = ran("check", "--iterations", "10", str(script))
    assert done.returncode == 0
    assert done.stdout.startswith(
        f"{script}: stopped after 10 iterations, nothing found; the script"
    )
    assert "caught the SystemExit that was to stop it" in done.stdout
    told = json.loads(ran("check", "--iterations", "10", "--json", str(script)).stdout)
    assert (told["stopped"], told["caught"]) == (True, True)


TRAINED_BY_OTHERS = """\
import multiprocessing, threading, torch

def train(hand_over):
    w = torch.ones(3, requires_grad=True)
    for _ in range(1000):
        (w * 2).sum().backward()
        w.grad = None
    hand_over(1.0)

def by_threads():
    results = {}
    learner = threading.Thread(target=train, args=(lambda one: results.update(one=one),))
    learner.start()
    learner.join()
    print(results["one"])

def by_children():
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=train, args=(theirs.send,))
    child.start()
    theirs.close()
    print(ours.recv())
"""


@pytest.mark.parametrize("by", ["by_threads", "by_children"])
def test_what_is_missing_since_the_stop_is_no_fault(script, by):
    script.write_text(f"{TRAINED_BY_OTHERS}\n{by}()\n")
    done = ran("check", "--iterations", "10", str(script))
    assert done.stdout.startswith(f"{script}: stopped after 10 iterations, nothing found")
    assert "Traceback" in done.stderr  # as the script has it


def test_a_script_that_is_no_python_is_told_with_the_error(script):
    script.write_text("def train(:\n")
    done = ran("check", str(script))
    assert done.returncode == 4
    assert "the script ended with exit code 1: SyntaxError: invalid syntax" in done.stdout
    told = json.loads(ran("check", "--json", str(script)).stdout)
    assert (told["exit_code"], told["error"]) == (1, "SyntaxError: invalid syntax")


CUTS = """\
import torch

w = torch.ones(3, 3, requires_grad=True)

def scored(x):
    rows = x @ w
    return rows.argmax(1).float()

verdict = scored(torch.ones(2, 3))
loss = verdict.mean()
loss.backward()
"""


def test_what_has_no_graph_goes_by_the_nearest_name_that_a_statement_gave_it(script):
    script.write_text(CUTS)
    (found,) = json.loads(ran("check", "--json", str(script)).stdout)["findings"]
    assert (found["kind"], found["line"], found["holder"]) == ("crashed", 7, "verdict")


NOTED = """\
import torch

w = torch.ones(3, 3, requires_grad=True)

class Reporter:
    def __init__(self):
        self.lines = []

    def describe(self, scores):
        sure = scores.softmax(-1).amax(-1)

        def line():
            return sure.mean().item()

        self.lines.append(line)

reporter = Reporter()
for number in range(60):
    scores = torch.ones(2, 3) @ w
    scores.pow(2).mean().backward()
    w.grad = None
    if number % 5 == 0:
        reporter.describe(scores)
print(reporter.lines[-1]())
"""


def test_a_list_of_functions_is_their_holder_however_few_they_are(script):
    script.write_text(NOTED)
    (found,) = json.loads(ran("check", "--json", str(script)).stdout)["findings"]
    assert (found["line"], found["holder"]) == (15, "reporter.lines")


ZEROED = """\
import torch

weights = [torch.randn(4, 4, requires_grad=True), torch.randn(4, 1, requires_grad=True)]
for _ in range(40):
    loss = ((torch.randn(8, 4) @ weights[0]).tanh() @ weights[1]).pow(2).mean()
    loss.backward(create_graph=True)
    for w in weights:
        w.data -= 0.1 * w.grad.data
        w.grad.data.zero_()
"""


def test_gradients_that_keep_their_graphs_are_told_at_once_whatever_their_data(script):
    script.write_text(ZEROED)
    (found,) = json.loads(ran("check", "--json", str(script)).stdout)["findings"]
    assert (found["kind"], found["line"], found["iteration"]) == ("graph-held", 6, 6)


def test_a_script_that_a_signal_ends(script):
    script.write_text("import os\nos.kill(os.getpid(), 9)\n")
    done = ran("check", str(script))
    assert done.returncode == 4
    assert "the script was ended by SIGKILL" in done.stdout
    assert json.loads(ran("check", "--json", str(script)).stdout)["exit_code"] == 137


def test_its_findings_tell_how_far_a_script_came_that_was_killed(script):
    """By the out-of-memory killer, say: it leaves no report of its own."""
    found = wire.Finding("k", "critical", "raised", "t", "r1", "toy", "here", 1, 0, 12, 2, "m")
    script.write_text(
        "import os\n"
        f"text = {msgspec.json.encode(found).decode()!r}\n"
        "open(os.environ['GRADWATCH_LOG'], 'w').write(text + '\\n')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = ran("check", str(script))
    assert done.returncode == 1
    head = done.stdout.partition("\n")[0]
    assert head == f"{script}: 12 iterations, 1 finding; the script was ended by SIGKILL"


def test_an_exception_that_a_finding_tells_of_is_a_field_too(script):
    script.write_text("import torch\nimport nosuchthing\n")
    told = json.loads(ran("check", "--json", str(script)).stdout)
    assert told["error"] == "ModuleNotFoundError: No module named 'nosuchthing'"
    assert [finding["kind"] for finding in told["findings"]] == ["crashed"]


def interrupted(*arguments: str) -> tuple[int, str]:
    """The exit code and what was said by then; the signal comes when the script says something."""
    with subprocess.Popen(
        [*GRADWATCH, "check", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "trained\n"
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=DEADLINE_S)
        finally:
            process.kill()
    return process.returncode, said


OF_TWO = """\
import torch
from torch import nn

critic, maker = nn.Linear(2, 1), nn.Linear(3, 2)
first = torch.optim.SGD(critic.parameters(), 0.01)
second = torch.optim.SGD(maker.parameters(), 0.01)
for _ in range(9):
    made = maker(torch.randn(4, 3)).tanh()
    first.zero_grad()
    critic(made).mean().backward()
    first.step()
    second.zero_grad()
    critic(made).mean().backward()
    second.step()
"""


def test_the_turns_of_two_optimizers_are_one_iteration_from_the_first_on(script):
    script.write_text(OF_TWO)
    (found,) = json.loads(ran("check", "--json", str(script)).stdout)["findings"]
    assert (found["kind"], found["iteration"], found["line"]) == ("second-backward", 0, 10)


def test_what_was_found_until_it_was_interrupted_is_told(script):
    script.write_text(TRAINS)
    code, said = interrupted("--iterations=1000000000", str(script))
    assert code == 130
    assert said.startswith(f"{script}: interrupted after ")
    assert "iterations, 1 finding\n\ngraph-held" in said


def test_and_written(script, tmp_path):
    script.write_text("import time\nprint('trained', flush=True)\ntime.sleep(600)\n")
    report = tmp_path / "report.json"
    assert interrupted(f"--json={report}", str(script)) == (130, "")
    told = json.loads(report.read_text())
    assert (told["interrupted"], told["iterations"], told["findings"]) == (True, 0, [])


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (".", "Is a directory"),
        ("nowhere/report.json", "No such file or directory"),
        ("train.py/report.json", "Not a directory"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_the_script_runs(script, where, why):
    script.write_text("print('ran')\n")
    path = script.parent / where
    done = ran("check", f"--json={path}", str(script))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"gradwatch: cannot write {path}: {why}.\n"


def test_a_report_is_there_only_when_there_is_something_to_report(script, tmp_path):
    report = tmp_path / "report.json"
    script.write_text(f"import os\nprint(os.path.exists({str(report)!r}))\n")
    done = ran("check", f"--json={report}", str(script))
    assert (done.returncode, done.stdout) == (0, "False\n")
    assert json.loads(report.read_text())["exit_code"] == 0
