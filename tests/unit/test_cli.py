"""What the command line accepts and refuses, and in which words."""

import importlib.metadata
import subprocess
import sys

import pytest
from click.testing import CliRunner

from gradwatch.cli import gradwatch
from gradwatch.scenarios import SCENARIOS, TWINS


@pytest.fixture(autouse=True)
def nothing_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADWATCH_RUN_DIR", str(tmp_path / "gradwatch"))


def invoked(*arguments: str):
    return CliRunner().invoke(gradwatch, arguments)


def ran(*arguments: str, without: str = "") -> tuple[int, str]:
    """The exit code and stderr of a fresh process, in which a module may be missing."""
    program = f"import sys; sys.modules[{without!r}] = None; from gradwatch.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stderr


def test_the_version_is_the_distributions():
    assert invoked("--version").output == f"gradwatch {importlib.metadata.version('gradwatch')}\n"


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_names_the_verbs_a_user_needs(flag):
    output = invoked(flag).output
    verbs = [line.split()[0] for line in output.partition("Commands:\n")[2].splitlines() if line]
    assert {"attach", "demo", "list", "run", "watch"} <= set(verbs)
    assert "screenshots" not in verbs  # for developers


def test_no_verbs_first_sentence_is_cut_in_the_list():
    assert "..." not in invoked("--help").output.partition("Commands:\n")[2]


@pytest.mark.parametrize("verb", ["attach", "demo", "list", "run", "watch", "screenshots"])
def test_every_verb_has_help(verb):
    done = invoked(verb, "--help")
    assert (done.exit_code, done.output.startswith("Usage: ")) == (0, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("--frobnicate",),
        ("attach",),
        ("run",),
        ("run", "--name"),
        ("watch", "--fail-on", "huge"),
        ("watch", "--log"),
        ("demo", "--seconds", "0"),
        ("demo", "--seconds", "soon"),
        ("demo", "nosuch", "--headless"),
        ("list", "extra"),
    ],
)
def test_wrong_usage_gets_2(arguments):
    assert invoked(*arguments).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("frobnicate",), "gradwatch: No such command 'frobnicate'. See gradwatch --help.\n"),
        (
            ("watch", "--seconds"),
            "gradwatch watch: No such option '--seconds'. See gradwatch watch --help.\n",
        ),
        (
            ("demo", "nosuch", "--headless"),
            "gradwatch: no scenario 'nosuch'; gradwatch demo --list names them.\n",
        ),
        (
            ("train.py",),
            (
                "gradwatch: train.py is a script: gradwatch check train.py, or "
                "gradwatch run -- python train.py\n"
            ),
        ),
        (
            ("check", "--json", "found.json", "train.py"),
            "gradwatch: no script 'found.json'. A report goes into a file by --json=FILE.\n",
        ),
    ],
)
def test_a_refusal_is_one_sentence(arguments, message):
    assert ran(*arguments) == (2, message)


@pytest.mark.parametrize("verb", ["attach", "watch"])
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("tcp://node3:5555",), "lets in nobody without a key: --key FILE"),
        (("tcp://node3:5555", "--key", "/nowhere/key"), "/nowhere/key: No such file"),
        (("tcp://node3",), "a target is a PID, a job's name, ssh://"),
        (("http://node3",), "a target is a PID, a job's name, ssh://"),
        (("ssh://node3:port",), "Port could not be cast"),
    ],
)
def test_a_target_elsewhere_that_cannot_be_meant_is_refused(verb, words, why):
    done = invoked(verb, *words)
    assert done.exit_code == 2
    assert why in done.output


@pytest.mark.parametrize("verb", ["attach", "watch"])
def test_a_target_that_does_not_run_gets_3(verb):
    code, message = ran(verb, "run-7")
    assert code == 3
    assert message.startswith("gradwatch: No job 'run-7' runs here; no job ")


@pytest.mark.parametrize(
    "arguments", [(), ("attach", "run-7"), ("run", "--tui", "--", "true"), ("screenshots",)]
)
def test_without_textual_the_install_line_is_given(arguments):
    assert ran(*arguments, without="textual") == (
        2,
        'gradwatch: the dashboard is not installed: pip install "gradwatch[tui]"\n',
    )


@pytest.mark.parametrize("arguments", [(), ("run", "--tui", "--", "true")])
def test_without_a_terminal_no_dashboard_is_drawn(arguments):
    assert ran(*arguments) == (
        2,
        "gradwatch: the dashboard needs a terminal; without one, use gradwatch watch.\n",
    )


def test_without_torch_the_demo_gives_the_install_line():
    code, message = ran("demo", without="torch")
    assert code == 2
    assert message.endswith('which is not installed: pip install "gradwatch[torch]"\n')


def test_the_demo_lists_every_scenario():
    output = invoked("demo", "--list").output
    names = [line.split()[0] for line in output.splitlines() if line.startswith("  ")]
    assert names == [scenario.name for scenario in (*SCENARIOS, *TWINS)]
