"""`gradwatch run`: what it leaves alone, and where the agent comes in.

Torch and the agent are stand-ins here, so that starting a process is cheap; tests/link has the
real ones.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

RUN = [sys.executable, "-m", "gradwatch", "run"]
AGENT = """
import os, sys
rank = os.environ.get("RANK") or os.environ.get("LOCAL_RANK") or "main"
print("agent", rank, "before" if "torch" not in sys.modules else "after")
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A directory on PYTHONPATH with a stand-in for torch and one for the agent."""
    site = tmp_path / "site"
    (site / "torch" / "distributed").mkdir(parents=True)
    (site / "torch" / "__init__.py").write_text("print('torch')\n")
    (site / "torch" / "distributed" / "__init__.py").write_text("")
    (site / "gradwatch_agent").mkdir()
    (site / "gradwatch_agent" / "__init__.py").write_text("")
    (site / "gradwatch_agent" / "auto.py").write_text(AGENT)
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.delenv("RANK", raising=False)
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    monkeypatch.chdir(tmp_path)
    return site


def ran(*command: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*RUN, *command], capture_output=True, text=True, timeout=60, **options)


def script(path: Path, text: str) -> str:
    path.write_text(text)
    return str(path)


def test_output_and_exit_code_are_the_commands_own():
    done = ran("--", "sh", "-c", "echo out; echo err >&2; exit 7")
    assert (done.stdout, done.stderr, done.returncode) == ("out\n", "err\n", 7)


def test_dashes_are_the_commands_own_without_a_separator():
    assert ran("echo", "--name", "x", "-h").stdout == "--name x -h\n"


def test_stdin_is_the_commands_own():
    assert ran("--", "cat", input="through\n").stdout == "through\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE])
def test_death_by_a_signal_is_the_commands_own(number):
    assert ran("--", "sh", "-c", f"kill -{number.value} $$").returncode == -number


def test_a_signal_reaches_the_command():
    text = "import signal, sys; print('up', flush=True); signal.pause()"
    with subprocess.Popen(
        [*RUN, "--", sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == -signal.SIGINT


def test_no_process_stays_between():
    with subprocess.Popen([*RUN, "--", "sh", "-c", "echo $$"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) == process.pid


def test_a_command_that_is_not_there_gets_the_shells_answer():
    done = ran("--", "no-such-command-anywhere")
    assert done.returncode == 127
    assert done.stderr == (
        "gradwatch: cannot start no-such-command-anywhere: No such file or directory.\n"
    )


def test_a_script_is_no_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").touch()
    done = ran("--", "train.py")
    assert done.returncode == 127
    assert done.stderr == "gradwatch: train.py is a script: gradwatch run -- python train.py\n"


def test_a_command_that_cannot_be_executed_gets_the_shells_answer(tmp_path):
    assert ran("--", script(tmp_path / "plain.txt", "hello")).returncode == 126


def test_the_agent_comes_with_torch(site):
    train = script(site.parent / "train.py", "print('start'); import torch; print('end')")
    assert ran(sys.executable, train).stdout == "start\nagent main before\ntorch\nend\n"


def test_the_agent_comes_with_a_module_too(site):
    script(site / "train.py", "import torch.distributed")
    assert ran(sys.executable, "-m", "train").stdout == "agent main before\ntorch\n"


def test_the_agent_comes_through_a_shell(site):
    train = script(site.parent / "train.py", "import torch")
    done = ran("sh", "-c", f"{sys.executable} {train}; {sys.executable} {train}")
    assert done.stdout == "agent main before\ntorch\n" * 2


def test_a_name_reaches_the_agent(site):
    text = "import os; print(os.environ['GRADWATCH_NAME'])"
    assert ran("--name", "run-7", "--", sys.executable, "-c", text).stdout == "run-7\n"


def test_a_process_without_torch_is_untouched(site):
    text = "import sys; print('gradwatch_agent' in sys.modules, sys.argv, sys.path)"
    plain = subprocess.run(
        [sys.executable, "-c", text, "--flag"], capture_output=True, text=True, timeout=60
    )
    assert ran(sys.executable, "-c", text, "--flag").stdout == plain.stdout


def test_what_a_watched_process_starts_is_not_watched(site):
    child = script(site.parent / "child.py", "import torch")
    text = f"import subprocess, sys, torch; subprocess.run([sys.executable, {child!r}])"
    train = script(site.parent / "train.py", text)
    assert ran(sys.executable, "-u", train).stdout == "agent main before\ntorch\ntorch\n"


def test_children_of_multiprocessing_get_the_agent_which_waits_for_a_backward(site):
    text = """
import multiprocessing, sys
def work(): import torch; sys.stdout.flush()
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=work)
    process.start(); process.join()
"""
    done = ran(sys.executable, script(site.parent / "train.py", text))
    assert done.stdout == "agent main before\ntorch\n"


def test_a_launcher_is_not_watched_but_its_ranks_are(site):
    worker = script(site.parent / "worker.py", "import torch")
    text = f"""
import os, subprocess, sys
for rank in "01":
    subprocess.run([sys.executable, "-u", {worker!r}], env=dict(os.environ, RANK=rank))
"""
    script(site / "torch" / "distributed" / "run.py", text)
    done = ran(sys.executable, "-u", "-W", "ignore", "-m", "torch.distributed.run")
    assert done.stdout == "torch\nagent 0 before\ntorch\nagent 1 before\ntorch\n"


@pytest.mark.parametrize("variable", ["RANK", "LOCAL_RANK"])
def test_ranks_under_a_watched_process_are_watched(site, variable):
    worker = script(site.parent / "worker.py", "import torch")
    text = f"""
import os, subprocess, sys, torch
subprocess.run([sys.executable, "-u", {worker!r}], env=dict(os.environ, {variable}="3"))
"""
    train = script(site.parent / "train.py", text)
    done = ran(sys.executable, "-u", train)
    assert done.stdout == "agent main before\ntorch\nagent 3 before\ntorch\n"


def test_the_workers_of_the_compiler_are_not_watched(site):
    (site / "torch" / "compile_worker").mkdir()
    worker = script(site / "torch" / "compile_worker" / "__main__.py", "import torch")
    assert ran(sys.executable, "-u", worker).stdout == "torch\n"


def test_a_run_within_a_run_is_watched(site):
    inner = script(site.parent / "inner.py", "import torch")
    command = [*RUN, "--", sys.executable, "-u", inner]
    text = f"import subprocess, torch; subprocess.run({command!r})"
    train = script(site.parent / "train.py", text)
    assert ran(sys.executable, "-u", train).stdout == "agent main before\ntorch\n" * 2


def test_a_shadowed_sitecustomize_runs_under_its_own_name(site):
    script(site / "sitecustomize.py", "NAME = __name__")
    text = "import sitecustomize; print(sitecustomize.NAME, sitecustomize.__file__)"
    done = ran(sys.executable, "-c", text)
    assert done.stdout == f"sitecustomize {site / 'sitecustomize.py'}\n"


def test_a_python_without_the_agent_says_so_and_goes_on(site):
    script(site / "gradwatch_agent" / "auto.py", "import no_such_dependency")
    train = script(site.parent / "train.py", "import torch")
    done = ran(sys.executable, train)
    assert (done.stdout, done.returncode) == ("torch\n", 0)
    assert "not watching pid" in done.stderr
    assert "no_such_dependency" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_missing_torch_stays_an_ordinary_error(site):
    (site / "torch" / "__init__.py").write_text("raise ImportError('no such library')")
    train = script(site.parent / "train.py", "import torch")
    done = ran(sys.executable, train)
    assert done.returncode == 1
    assert "sitecustomize" not in done.stderr
    assert done.stderr.endswith("ImportError: no such library\n")


def test_the_path_of_the_user_is_kept(site, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}/elsewhere")
    text = "import os; print(os.environ['PYTHONPATH'])"
    assert ran(sys.executable, "-c", text).stdout.endswith(f":{site}:/elsewhere\n")
