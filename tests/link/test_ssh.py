"""Jobs on another machine, over a real sshd and the user's own ssh."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import psutil
import pytest

from gradwatch.commands import jobs
from gradwatch.model import Trouble
from gradwatch.sources.host import Host
from gradwatch.sources.place import Unreachable
from gradwatch.sources.targets import BadTarget, Far, parse
from gradwatch_agent import runfile, wire

from . import sshd
from .commands import beginnings, ran, started, until_logged
from .terminal import DRAWN, leave, opened

pytestmark = pytest.mark.skipif(
    sshd.PROGRAM is None or shutil.which("ssh") is None, reason="OpenSSH is not installed here"
)


@pytest.fixture
def serve(monkeypatch):
    """Starts an sshd that the user's ssh knows."""
    servers, folders = [], []

    def start(*options: str) -> sshd.Sshd:
        folders.append(tempfile.mkdtemp(prefix="gws"))  # a socket's path must be short
        servers.append(sshd.Sshd(Path(folders[-1]), *options))
        monkeypatch.setenv("GRADWATCH_SSH", f"ssh -F {folders[-1]}/config")
        return servers[-1]

    yield start
    for server in servers:
        server.stop()
    for folder in folders:
        shutil.rmtree(folder)


@pytest.fixture
def node(serve):
    return serve()


@pytest.fixture
def start_far(start_job, monkeypatch):
    """A job of which this side knows nothing but what sshd shows it."""

    def start(node: sshd.Sshd, *words: str):
        with monkeypatch.context() as there:
            there.setenv("GRADWATCH_RUN_DIR", str(node.run_directory))
            return start_job(*words)

    return start


@pytest.fixture
def join():
    """The jobs of a host, connected to; ended with the test."""
    hosts = []

    def start(name: str = "node3", *jobs: str) -> Host:
        hosts.append(Host(Far(name), jobs))
        hosts[-1].start(prompts=False)
        return hosts[-1]

    yield start
    for host in hosts:
        host.stop()


def left_behind(pid: int) -> list[str]:
    """What an ended viewer has not taken away."""
    known = [process.info for process in psutil.process_iter(["ppid", "name", "cmdline"])]
    ours = [str(one["cmdline"]) for one in known if (one["ppid"], one["name"]) == (pid, "ssh")]
    return [*map(str, Path("/tmp").glob(f"gradwatch-ssh-{pid}-*")), *ours]


def test_a_finding_on_another_machine_is_printed(node, start_far):
    job = start_far(node)
    with started("watch", "ssh://node3/toy", "--until-exit", "--fail-on", "critical") as watch:
        assert watch.noted() == f"gradwatch: watching toy (pid {job.pid})"
        job.tell("finding")
        assert " toy critical graph-chain raised at iteration 0" in watch.said()
        job.tell("stop")
        assert watch.noted() == "gradwatch: toy finished after 0 iterations"
        assert watch.end() == 1
    assert left_behind(watch.process.pid) == []


def test_the_past_is_there_and_nothing_is_missing_after_it(node, start_far, join, watch):
    job = start_far(node)
    job.tell("post 3000")
    watcher = watch(places=[join()])
    watcher.until(lambda: watcher.covered("r1") >= 3000)
    job.tell("post 300")
    watcher.until(lambda: watcher.covered("r1") >= 3300)

    assert [e.number for e in watcher.of("r1", wire.Iteration)][-300:] == list(range(3000, 3300))
    assert watcher.of("r1", Trouble) == []


def test_several_machines_and_this_one_at_once(node, start_far, start_job):
    one, two = start_far(node, "r1", "one"), start_far(node, "r2", "two")
    here = start_job("r3", "here")
    start_far(node, "r4", "unwanted")
    with started("watch", "ssh://node3/one", f"ssh://node4/{two.pid}", "here") as watch:
        assert {watch.noted() for _ in range(3)} == {
            f"gradwatch: watching one (pid {one.pid})",
            f"gradwatch: watching two (pid {two.pid})",
            f"gradwatch: watching here (pid {here.pid})",
        }


def test_a_job_behind_a_jump_host(node, start_far):
    node.also_known("behind", "ProxyJump node3")
    job = start_far(node)
    with started("watch", "ssh://behind/toy", "--until-exit") as watch:
        assert watch.noted() == f"gradwatch: watching toy (pid {job.pid})"
        job.tell("stop")
        assert watch.noted() == "gradwatch: toy finished after 0 iterations"
        assert watch.end() == 0
    assert left_behind(watch.process.pid) == []


def test_a_host_that_takes_the_call_and_never_answers(node):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        node.also_known("mute", f"Port {port}", "ConnectTimeout 1")
        done = ran("watch", "ssh://mute")
    assert (done.returncode, done.stderr) == (
        3,
        "gradwatch: mute does not answer; it may be down, or out of reach from here.\n",
    )


def test_a_host_that_goes_down_takes_no_other_along(serve, start_far):
    down = serve()
    going = start_far(down, "r1", "going")
    up = serve()
    staying = start_far(up, "r2", "staying")
    (up.folder / "config").write_text(
        (up.folder / "config").read_text()
        + (down.folder / "config").read_text().replace("node3 node4", "other")
    )
    with started("watch", "ssh://other", "ssh://node3") as watch:
        assert {watch.noted() for _ in range(2)} == {
            f"gradwatch: watching going (pid {going.pid})",
            f"gradwatch: watching staying (pid {staying.pid})",
        }
        down.go_down()
        assert " going warning lost raised " in watch.said()
        staying.tell("finding")
        assert " staying critical graph-chain raised " in watch.said()
        down.start()
        assert " going warning lost resolved " in watch.said()


def test_a_job_that_starts_later_is_picked_up(node, start_far, join, watch):
    watcher = watch(places=[join()])
    start_far(node)
    watcher.until(lambda: watcher.is_up("r1"))


def test_a_killed_job_is_lost_and_has_ended(node, start_far):
    job = start_far(node)
    with started("watch", "ssh://node3", "--until-exit") as watch:
        watch.noted()
        job.kill()
        assert " toy warning lost raised " in watch.said()
        assert watch.end() == 0
    done = ran("watch", "ssh://node3/toy")
    assert (done.returncode, done.stderr) == (
        3,
        "gradwatch: Job 'toy' on node3 has ended: its process is gone.\n",
    )


def test_a_stopped_job_there_is_paused_and_comes_back(node, start_far, join, watch):
    job = start_far(node)
    watcher = watch(places=[join()])
    watcher.until(lambda: watcher.is_up("r1"))
    job.signal(signal.SIGSTOP)
    watcher.until(lambda: watcher.jobs["r1"].state == "paused")

    assert f"`kill -CONT {job.pid}` lets it go on" in watcher.jobs["r1"].link.why

    job.signal(signal.SIGCONT)
    watcher.until(lambda: watcher.is_up("r1"))

    assert watcher.jobs["r1"].state == "live"


def test_a_connection_that_breaks_is_told_and_made_again(node, start_far, join, watch):
    job = start_far(node)
    watcher = watch(places=[join()])
    watcher.until(lambda: watcher.is_up("r1"))
    node.go_down()
    watcher.until(lambda: "lost" in watcher.jobs["r1"].findings)
    lost = watcher.jobs["r1"].findings["lost"]
    job.tell("post 100")
    node.start()
    watcher.until(lambda: watcher.is_up("r1") and watcher.covered("r1") == 100)

    assert "node3 is there, but nothing answers ssh" in lost.message
    assert watcher.jobs["r1"].findings["lost"].state == "resolved"
    assert watcher.of("r1", Trouble) == []


def test_a_log_over_a_connection_that_breaks_holds_what_the_agents_own_does(
    node, start_far, tmp_path
):
    log, inside = tmp_path / "watched.jsonl", tmp_path / "inside.jsonl"
    job = start_far(node, "r1", "toy", str(inside))
    with started("watch", "ssh://node3", "--log", str(log), "--until-exit") as watch:
        watch.noted()
        for _ in range(2):
            job.tell("findings 20")
            node.go_down()
            job.tell("findings 20")
            watch.told_of("lost raised")
            node.start()
            watch.told_of("lost resolved")
        until_logged(log, 80)  # of a job that is gone nothing can be fetched any more
        job.tell("stop")
        assert watch.end() == 0
    assert beginnings(log) == beginnings(inside) == list(range(80))


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda node: node.let_in("other"), "node3 refused you: it accepts none of your keys."),
        (lambda node: node.trust("other"), "the key of node3 has changed: "),
        (lambda node: node.stop(), "node3 is there, but nothing answers ssh on that port."),
        (
            lambda node: (node.folder / "known_hosts").unlink(),
            "the key of node3 is not known here; connect once with `ssh node3` to accept it.",
        ),
    ],
    ids=["refused key", "changed host key", "nobody there", "unknown host key"],
)
def test_each_reason_has_its_sentence(node, start_far, spoil, sentence):
    start_far(node)
    spoil(node)
    done = ran("watch", "ssh://node3/toy")
    assert done.returncode == 3
    assert done.stderr.startswith(f"gradwatch: {sentence}")
    assert len(done.stderr.splitlines()) == 1
    if sentence.startswith("node3 is there"):
        node.start()


def test_an_unknown_job_is_told_with_what_runs_instead(node, start_far):
    job = start_far(node)
    done = ran("watch", "ssh://node3/run-7")
    assert done.returncode == 3
    assert done.stderr == f"gradwatch: No job 'run-7' runs on node3; running: toy ({job.pid}).\n"


def test_a_missing_ssh_is_told(monkeypatch):
    monkeypatch.setenv("GRADWATCH_SSH", "/nowhere/ssh")
    done = ran("watch", "ssh://node3")
    assert done.returncode == 3
    assert done.stderr == "gradwatch: /nowhere/ssh cannot be started: No such file or directory.\n"


def test_a_host_that_forwards_no_sockets_says_so(serve, start_far):
    node = serve("AllowStreamLocalForwarding no")
    start_far(node)
    done = ran("watch", "ssh://node3")
    assert done.returncode == 3
    assert done.stderr == (
        "gradwatch: node3 can be reached, its jobs cannot: it may not let ssh forward sockets "
        "(AllowStreamLocalForwarding).\n"
    )


def test_a_connection_that_the_user_keeps_open_is_used_and_left_open(node, start_far, join, watch):
    config = node.folder / "config"
    config.write_text(config.read_text() + f"ControlPath {node.folder}/master-%C\n")
    ssh = ["ssh", "-F", str(config)]
    subprocess.run([*ssh, "-M", "-f", "-N", "node3"], check=True)
    try:
        node.let_in("other")  # nobody could come in anew
        start_far(node)
        host = join()
        watcher = watch(places=[host])
        watcher.until(lambda: watcher.is_up("r1"))
        watcher.source.stop()
        assert subprocess.run([*ssh, "-O", "check", "node3"], capture_output=True).returncode == 0
        assert not Path(host.jobs()[0].live.removeprefix("ipc://")).exists()
    finally:
        subprocess.run([*ssh, "-O", "exit", "node3"], capture_output=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_viewer_that_is_ended_leaves_nothing_behind(node, start_far, number):
    start_far(node)
    with started("watch", "ssh://node3") as watch:
        watch.noted()
        assert left_behind(watch.process.pid)
        watch.process.send_signal(number)
        assert watch.end() == (130 if number == signal.SIGINT else 128 + number)
        assert left_behind(watch.process.pid) == []


def test_the_dashboard_shows_a_job_on_another_machine(node, start_far):
    job = start_far(node)
    job.tell("finding")
    with opened("attach", f"ssh://{getpass.getuser()}@node3/toy") as terminal:
        terminal.shows(DRAWN, b"toy", f"pid {job.pid}".encode(), b"live", b"GRAPH GROWS")
        leave(terminal)
        assert terminal.end() == 0
        assert terminal.is_as_it_was()
    assert left_behind(terminal.process.pid) == []


def test_the_passphrase_of_a_key_is_asked_for_before_the_dashboard(node, start_far):
    node.lock("id", "open sesame")
    start_far(node)
    with opened("attach", "ssh://node3/toy") as terminal:
        terminal.shows(b"Enter passphrase for key")
        terminal.type(b"open sesame\n")
        terminal.shows(DRAWN, b"toy", b"live")
        leave(terminal)
        assert terminal.end() == 0
    assert b"open sesame" not in terminal.output


def test_a_passphrase_that_is_not_given_is_told(node, start_far):
    node.lock("id", "open sesame")
    start_far(node)
    with opened("attach", "ssh://node3/toy") as terminal:
        for _ in range(3):  # as often as ssh asks
            terminal.shows(b"Enter passphrase for key")
            terminal.type(b"wrong\n")
        assert terminal.end() == 3
    assert terminal.output.endswith(
        b"gradwatch: node3 refused you: it accepts none of your keys.\r\n"
    )


def test_a_dashboard_whose_terminal_is_gone_ends_and_leaves_nothing_behind(node, start_far):
    start_far(node)
    with opened("attach", "ssh://node3/toy") as terminal:
        terminal.shows(b"live")
        assert left_behind(terminal.process.pid)
        terminal.type(b" ")
        terminal.shows(b"go on")  # it has come to rest
        terminal.hang_up()
        assert terminal.end() == 129
        assert left_behind(terminal.process.pid) == []


@pytest.fixture
def hung_up_meanwhile(monkeypatch):
    """The signal comes as a host is being left."""
    stop = Host.stop

    def stop_meanwhile(host: Host) -> None:
        signal.raise_signal(signal.SIGHUP)
        stop(host)

    monkeypatch.setattr(Host, "stop", stop_meanwhile)


@pytest.mark.usefixtures("hung_up_meanwhile")
def test_a_second_hang_up_breaks_off_nothing(node, start_far):
    start_far(node)
    with pytest.raises(SystemExit, match="129"), jobs.places(["ssh://node3/toy"]):
        signal.raise_signal(signal.SIGHUP)
    assert left_behind(os.getpid()) == []


@pytest.mark.usefixtures("hung_up_meanwhile")
def test_a_hang_up_that_comes_late_breaks_off_nothing(node, start_far):
    start_far(node)
    with jobs.places(["ssh://node3/toy"]):
        pass  # the dashboard has seen by itself that its terminal is gone
    assert left_behind(os.getpid()) == []


def test_what_a_killed_viewer_left_is_removed_by_the_next(node, start_far, join):
    start_far(node)
    with started("watch", "ssh://node3") as watch:
        watch.noted()
        # As long as it lives: later any viewer of this machine's may be the next.
        assert any("gradwatch-ssh-" in left for left in left_behind(watch.process.pid))
        children = psutil.Process(watch.process.pid).children()
        watch.process.kill()
        watch.end()
        gone, alive = psutil.wait_procs(children, 20)  # they have nobody to write to
        assert (len(gone), alive) == (1, [])
    join()
    assert left_behind(watch.process.pid) == []


def test_a_far_directory_open_to_others_is_not_trusted(node, start_far):
    start_far(node)
    node.run_directory.chmod(0o755)
    done = ran("watch", "ssh://node3/toy")
    assert done.stderr == (
        "gradwatch: No job 'toy' runs on node3; no job with a gradwatch agent runs there.\n"
    )


def test_a_host_that_cannot_be_meant_is_refused():
    for target in ("ssh://-oProxyCommand=touch", "ssh://me:word@node3", "ssh://", "ssh://a b"):
        with pytest.raises(BadTarget):
            parse([target])


def test_the_first_connection_fails_in_one_sentence_in_the_process_too(node):
    node.let_in("other")
    host = Host(Far("node3"), [])
    with pytest.raises(Unreachable):
        host.start(prompts=False)
    assert left_behind(os.getpid()) == []
    assert runfile.running() == []
