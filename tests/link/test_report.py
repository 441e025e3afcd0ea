"""`gradwatch report`: what was found is kept when the job is gone, watched or not."""

import json
import os
import stat
import time

import msgspec
import pytest
from msgspec.structs import replace

from gradwatch_agent import remains, runfile, wire
from gradwatch_agent.link.broadcast import Broadcast
from gradwatch_agent.link.outlet import Deaf

from .commands import ran


def reported(*arguments: str) -> str:
    done = ran("report", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ended(job, how: str) -> None:
    job.tell("post 7")
    job.tell("finding")
    if how == "killed":
        job.kill()
    else:
        job.tell("stop")


def test_nobody_watched_and_it_finished(start_job):
    job = start_job()
    ended(job, "finished")
    first, _, rest = reported().partition("\n\n")
    assert first.startswith(f"toy (pid {job.pid} on here) finished just now")
    assert rest.startswith("graph-chain · critical · since iteration 0")
    assert "What was found in those that have ended: `gradwatch report`" in ran("list").stderr


def test_who_looks_for_it_among_the_running_is_told(start_job):
    ended(start_job(), "finished")
    done = ran("watch", "toy")
    assert done.returncode == 3
    assert "What was found in one that has ended: gradwatch report toy." in done.stderr


def test_it_was_killed(start_job):
    ended(start_job(), "killed")
    said = reported("toy")
    assert "toy (pid" in said
    assert "was killed, or its machine went down" in said
    assert "graph-chain" in said


def test_it_still_runs(start_job):
    job = start_job()
    job.tell("finding")
    assert "is running" in reported(str(job.pid))


def test_where_nothing_was_found_nothing_is_kept(start_job):
    job = start_job()
    job.tell("post 7")
    job.tell("stop")
    for arguments in ((), ("--list",)):
        done = ran("report", *arguments)
        assert (done.returncode, done.stdout) == (0, "")
        assert "Nothing is kept" in done.stderr
    assert not remains.directory().exists()


def test_a_job_that_never_was(start_job):
    ended(start_job(), "finished")
    done = ran("report", "other")
    assert done.returncode == 3
    assert done.stderr == (
        "gradwatch: nothing is kept of a job 'other'; see gradwatch report --list.\n"
    )


def test_all_are_listed_the_last_first(start_job):
    ended(start_job("r1", "first"), "finished")
    ended(start_job("r2", "second"), "killed")
    assert "Of 1 more run something is kept: gradwatch report --list" in ran("report").stderr
    titles, *rows = reported("--list").splitlines()
    assert titles.split()[:4] == ["LAST", "HEARD", "OF", "JOB"]
    assert {row.split()[2]: row.split()[6] for row in rows} == {
        "first": "finished",
        "second": "killed",
    }


def test_for_programs(start_job):
    ended(start_job(), "finished")
    told = json.loads(reported("--json"))
    assert told["job"]["job"] == "toy"
    assert [finding["kind"] for finding in told["findings"]] == ["graph-chain"]
    assert told["end"]["reason"] == "finished"


def test_a_file_of_alerts(start_job, tmp_path):
    log = tmp_path / "alerts.jsonl"
    ended(start_job(log=str(log)), "finished")
    said = reported(str(log))
    assert said.startswith(f"{log}: 1 finding\n\ngraph-chain · critical")
    log.write_text("no finding\n")
    done = ran("report", str(log))
    assert done.returncode == 2
    assert done.stderr == (
        f"gradwatch: {log} is no file of alerts, and nothing is kept of a job of that name; "
        "see gradwatch report --list.\n"
    )


def test_whose_each_finding_in_a_file_is(start_job, tmp_path):
    log = tmp_path / "alerts.jsonl"
    first, second = start_job("r1", "first", str(log)), start_job("r2", "second", str(log))
    for job in (first, second):
        ended(job, "finished")
    said = reported(str(log))
    assert said.startswith(f"{log}: 2 findings of 2 runs\n\n")
    for job in (first, second):
        assert f"\n── {job.name}, rank 0 (pid {job.pid} on here): 1 finding\n" in said


def test_what_a_file_of_alerts_says_is_cleaned(tmp_path):
    log = tmp_path / "alerts.jsonl"
    evil = wire.Finding(
        "k", "info", "raised", "t", "r1", "toy", "here", 1, 0, 0, 0, "\x1b]0;mine\x07"
    )
    log.write_bytes(msgspec.json.encode(evil) + b"\n")
    assert all(line.isprintable() for line in reported(str(log)).splitlines())


def test_a_jobs_name_is_told_of_where_its_script_lies_beside(start_job, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text("import torch\n")
    job = start_job(name="train.py")
    ended(job, "finished")
    assert reported("train.py").startswith(f"train.py (pid {job.pid} on here) finished")


def test_it_is_private_and_small(start_job):
    job = start_job()
    job.tell("findings 200")
    job.tell("stop")
    folder = remains.directory()
    [file] = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    [kept] = remains.kept()
    assert len(kept.findings) == 1  # all have one id


@pytest.mark.parametrize("hindrance", ["a file in its place", "open to others"])
def test_where_it_cannot_be_kept_the_job_does_not_notice(start_job, hindrance):
    folder = remains.directory()
    runfile.ensure_directory()
    if hindrance == "a file in its place":
        folder.touch()
    else:
        folder.mkdir()
        folder.chmod(0o777)
    job = start_job()
    ended(job, "finished")
    assert job.end() == ""
    assert remains.kept() == []
    assert folder.is_file() or not [*folder.iterdir()]


def test_of_each_finding_the_newest_state_is_kept_and_not_of_any_number():
    keeper = remains.Keeper(wire.Hello("r1", "toy", "here", 1, 0.0))
    raised = wire.Finding("k", "info", "raised", "t", "r1", "toy", "here", 1, 0, 0, 0, "m")
    runfile.ensure_directory()
    keeper.take(replace(raised, id=str(number)) for number in range(200))
    keeper.take([replace(raised, id="7", state="resolved")])
    [kept] = remains.kept()
    assert [finding.id for finding in kept.findings] == [str(number) for number in range(64)]
    assert [finding.id for finding in kept.findings if finding.state == "resolved"] == ["7"]


def test_what_others_could_have_written_is_not_read(start_job):
    ended(start_job(), "finished")
    assert len(remains.kept()) == 1
    remains.directory().chmod(0o755)
    assert remains.kept() == []


def test_only_the_newest_stay(start_job):
    folder = remains.directory()
    runfile.ensure_directory()
    folder.mkdir(mode=0o700)
    for age in range(70):
        old = folder / f"old{age}.json"
        old.touch()
        os.utime(old, (1_000_000 - age, 1_000_000 - age))
    ended(start_job(), "finished")
    left = {path.stem for path in folder.iterdir()}
    assert left == {"r1", *(f"old{age}" for age in range(63))}


@pytest.mark.parametrize("text", [b"", b"[]", b"{" * 100_000, b"\xff", b'{"hello": 1}'])
def test_what_is_no_such_file_is_passed_by(start_job, text):
    ended(start_job(), "finished")
    (remains.directory() / "other.json").write_bytes(text)
    assert len(remains.kept()) == 1


def test_a_run_that_was_killed_is_dated_by_its_last_sign_of_life(start_job):
    ended(start_job("r1", "first"), "killed")
    ended(start_job("r2", "second"), "killed")
    for run, beaten in (("r1", 1_760_000_000), ("r2", 1_750_000_000)):
        os.utime(remains.directory() / f"{run}.json", (beaten, beaten))
    _, *rows = reported("--list").splitlines()
    assert [row.split()[2] for row in rows] == ["first", "second"]
    assert [row[:7] for row in rows] == ["2025-10", "2025-06"]
    assert reported().startswith("first (pid")


def test_beats_date_what_is_kept_now_and_then():
    keeper = remains.Keeper(wire.Hello("r1", "toy", "here", 1, 0.0))
    broadcast = Broadcast(lambda _: (), lambda *_: wire.Beat(at=0.0), None, keeper, time.time)
    runfile.ensure_directory()
    keeper.lives(time.monotonic())
    assert not remains.directory().exists()  # nothing is kept, nothing is dated
    keeper.take([wire.Finding("k", "info", "raised", "t", "r1", "toy", "here", 1, 0, 0, 0, "m")])
    [file] = remains.directory().iterdir()
    os.utime(file, (1.0, 1.0))
    broadcast.turn(Deaf(), None)
    assert remains.kept()[0].heard > 1.0
    os.utime(file, (1.0, 1.0))
    keeper.lives(time.monotonic() + 5)
    assert remains.kept()[0].heard == 1.0
    keeper.lives(time.monotonic() + 15)
    assert remains.kept()[0].heard > 1.0
    file.unlink()
    keeper.lives(time.monotonic() + 30)  # says nothing, makes nothing
    assert remains.kept() == []
