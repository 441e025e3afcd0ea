"""`gradwatch demo`: a real scenario in a real process, and its end."""

import os
import signal
import sys

import psutil
import pytest

from .commands import DEADLINE_S, ran, started
from .terminal import DRAWN, interrupt, leave, on_terminal, opened


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    """Scenarios of a hundred nodes, whose threads would only get in each other's way."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")


def test_the_default_scenario_grows_a_chain():
    done = ran("demo", "--headless", "--seconds", "2")
    assert done.returncode == 0
    assert "carried-estimate-retained critical graph-chain raised" in done.stdout
    *_, name, findings, nodes = done.stdout.splitlines()
    assert name.startswith("carried-estimate-retained: ")
    assert name.endswith(" iterations seen")
    assert "graph-chain (critical, +10 nodes an iteration)" in findings
    assert nodes.startswith("  nodes the loss reaches: 14 in iteration 0, ")
    assert nodes.endswith("(+10.0 an iteration)")


def test_a_healthy_scenario_has_no_finding():
    done = ran("demo", "carried-estimate-fixed", "--headless", "--seconds", "2")
    assert "findings: none" in done.stdout
    assert "(+0.0 an iteration)" in done.stdout


def test_a_scenario_that_raises_ends_with_its_traceback():
    done = ran("demo", "carried-estimate", "--headless")
    assert done.returncode == 0
    assert "carried-estimate critical second-backward raised" in done.stdout
    assert "RuntimeError: Trying to backward through the graph a second time" in done.stderr


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_the_job_ends_with_its_viewer(number, code):
    with started("demo", "--headless") as demo:
        demo.noted()
        job = psutil.Process(int(demo.noted().rpartition("pid ")[2].rstrip(")")))
        demo.process.send_signal(number)
        assert demo.end() == code
        psutil.wait_procs([job], DEADLINE_S)
        assert not job.is_running()


def test_the_jobs_record_is_no_killed_ones():
    ran("demo", "--headless", "--seconds", "2")
    assert " finished " in ran("report", "--list").stdout.splitlines()[1]


def test_on_a_terminal_the_dashboard_shows_the_job():
    code, output = on_terminal("demo", "total-loss", when={b"total-loss": leave})
    assert code == 0
    assert b"Traceback" not in output


def test_a_command_behind_the_dashboard_keeps_its_exit_code():
    command = ["sh", "-c", "echo its own words; exit 7"]
    code, output = on_terminal("run", "--tui", "--", *command, when={DRAWN: leave})
    assert code == 7
    assert output.endswith(b"its own words\r\n")


INTERRUPTED = """
import signal
try:
    print("it runs", flush=True)
    signal.pause()
except KeyboardInterrupt:
    print("its own end")
    raise SystemExit(5)
"""


def test_an_interrupt_behind_the_dashboard_is_the_commands():
    code, output = on_terminal(
        "run",
        "--tui",
        "--",
        *(sys.executable, "-c", INTERRUPTED),
        when={b"it runs": interrupt, b"was sent to the command": leave},
    )
    assert code == 5
    assert output.endswith(b"its own end\r\n")


def test_an_interrupt_leaves_a_dashboard():
    code, _ = on_terminal("demo", "total-loss", when={b"total-loss": interrupt})
    assert code == 130


def test_a_dashboard_whose_terminal_is_gone_ends():
    with opened("demo", "total-loss", controlling=False) as terminal:  # so that no signal comes
        terminal.shows(b"total-loss")
        terminal.hang_up()
        assert terminal.end() == 129


def test_a_command_outlives_its_dashboard(tmp_path):
    os.mkfifo(gate := tmp_path / "gate")
    command = ["sh", "-c", f"echo one; read line < {gate}; echo $line; kill -9 $$"]
    code, output = on_terminal(
        "run",
        "--tui",
        "--",
        *command,
        when={DRAWN: leave, b"goes on": lambda terminal: gate.write_text("two\n")},
    )
    assert code == 137
    assert output.endswith(b"one\r\ntwo\r\n")
