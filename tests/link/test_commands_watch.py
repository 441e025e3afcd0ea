"""`gradwatch watch` and `list` against jobs in processes of their own."""

import json
import signal

import pytest

from .commands import ran, started


def kinds(path) -> list[tuple[str, str]]:
    findings = [json.loads(line) for line in path.read_text().splitlines()]
    return [(finding["kind"], finding["state"]) for finding in findings]


def test_a_finding_is_printed_and_logged(start_job, tmp_path):
    job = start_job()
    with started("watch", "toy", "--log", str(tmp_path / "alerts"), "--until-exit") as watch:
        assert watch.noted() == f"gradwatch: watching toy (pid {job.pid})"
        job.tell("finding")
        assert watch.said() == (
            "2024-01-01T00:00:00.000Z toy critical graph-chain raised at iteration 0: "
            "The loss reaches the graphs of earlier iterations."
        )
        job.tell("stop")
        assert watch.noted() == "gradwatch: toy finished after 0 iterations"
        assert watch.end() == 0
    assert kinds(tmp_path / "alerts") == [("graph-chain", "raised")]


def test_a_watch_started_anew_logs_what_is_new_alone(start_job, tmp_path):
    log = str(tmp_path / "alerts")
    job = start_job()
    job.tell("finding")
    with started("watch", "--log", log) as watch:
        assert "graph-chain raised" in watch.said()
        watch.interrupt()
        watch.end()
    with started("watch", "--log", log, "--until-exit") as watch:
        assert "graph-chain raised" in watch.said()  # whoever reads may be new, too
        job.tell("finding")
        job.tell("stop")
        assert watch.end() == 0
    assert kinds(tmp_path / "alerts") == [("graph-chain", "raised")] * 2
    first, second = (tmp_path / "alerts").read_text().splitlines()
    assert first != second


def test_what_was_found_before_is_told(start_job):
    job = start_job()
    job.tell("finding")
    with started("watch", str(job.pid)) as watch:
        assert "graph-chain raised" in watch.said()


def test_a_watch_that_goes_on_after_all_that_was_named_says_so(start_job):
    job = start_job()
    with started("watch", str(job.pid)) as watch:
        watch.noted()
        job.tell("stop")
        assert watch.noted() == "gradwatch: toy finished after 0 iterations"
        assert watch.noted().startswith("gradwatch: all that was named has ended; Ctrl+C ends")
        watch.interrupt()
        assert watch.end() == 130


def test_a_killed_job_is_lost_and_ends_the_watch(start_job, tmp_path):
    job = start_job()
    with started("watch", "--log", str(tmp_path / "alerts"), "--until-exit") as watch:
        watch.noted()
        job.kill()
        assert " toy warning lost raised at iteration " in watch.said()
        assert watch.end() == 0
    assert kinds(tmp_path / "alerts") == [("lost", "raised")]


@pytest.mark.parametrize(("level", "code"), [("info", 1), ("warning", 1), ("critical", 0)])
def test_the_exit_code_tells_of_a_finding_at_the_level_or_above(start_job, level, code):
    job = start_job()
    with started("watch", "toy", "--until-exit", "--fail-on", level) as watch:
        watch.noted()
        job.kill()
        assert watch.end() == code


def test_a_stopped_process_is_lost_but_has_not_ended(start_job):
    job = start_job()
    with started("watch", "--until-exit") as watch:
        watch.noted()
        job.signal(signal.SIGSTOP)
        assert " lost raised " in watch.said()
        job.signal(signal.SIGCONT)
        assert " lost resolved " in watch.said()
        job.tell("stop")
        assert watch.end() == 0


def test_without_a_target_the_first_job_is_waited_for(start_job):
    with started("watch", "--until-exit") as watch:
        assert watch.noted() == "gradwatch: no job runs yet; waiting for one"
        job = start_job()
        assert "watching toy" in watch.noted()
        job.tell("stop")
        assert watch.end() == 0


def test_the_watch_goes_on_until_every_job_has_ended(start_job):
    one, other = start_job("r1", "one"), start_job("r2", "other")
    with started("watch", "--until-exit") as watch:
        assert {watch.noted(), watch.noted()} == {
            f"gradwatch: watching one (pid {one.pid})",
            f"gradwatch: watching other (pid {other.pid})",
        }
        one.tell("stop")
        assert watch.noted() == "gradwatch: one finished after 0 iterations"
        other.tell("finding")
        assert " other critical graph-chain raised " in watch.said()
        other.tell("stop")
        assert watch.end() == 0


def test_an_interrupt_ends_it_with_130(start_job):
    start_job()
    with started("watch", "--fail-on", "info") as watch:
        watch.noted()
        watch.interrupt()
        assert watch.end() == 130


def test_a_reader_that_left_ends_it_quietly(start_job):
    job = start_job()
    with started("watch") as watch:
        watch.noted()
        watch.process.stdout.close()
        job.tell("finding")
        assert watch.end() == 141
        assert watch.process.stderr.read() == ""


def test_an_unknown_target_gets_3_and_what_runs_instead(start_job):
    job = start_job()
    for verb in ("watch", "attach"):
        done = ran(verb, "nosuch")
        assert done.returncode == 3
        assert done.stderr == f"gradwatch: No job 'nosuch' runs here; running: toy ({job.pid}).\n"


def test_a_log_that_cannot_be_is_refused(tmp_path):
    done = ran("watch", "--log", str(tmp_path / "no" / "alerts"))
    assert done.returncode == 2
    assert "there is no such directory" in done.stderr


def test_list_names_the_running_jobs(start_job):
    one, other = start_job("r1", "one"), start_job("r2", "the-other")
    header, *rows = ran("list").stdout.splitlines()
    assert header.split() == ["PID", "JOB", "RANK", "STARTED", "SCRIPT"]
    assert [row.split()[:3] for row in rows] == [
        [str(one.pid), "one", "0/1"],
        [str(other.pid), "the-other", "0/1"],
    ]
    assert {row.index("0/1") for row in rows} == {header.index("RANK")}


def test_list_as_json(start_job):
    job = start_job()
    (entry,) = json.loads(ran("list", "--json").stdout)
    assert (entry["pid"], entry["job"], entry["rank"], entry["run"]) == (job.pid, "toy", 0, "r1")
    assert entry["tcp"] is None


def test_nothing_to_list_is_no_error():
    done = ran("list")
    assert (done.stdout, done.returncode) == ("", 0)
    assert "gradwatch run" in done.stderr
    assert json.loads(ran("list", "--json").stdout) == []


def test_a_directory_open_to_others_is_not_trusted(start_job, run_directory):
    start_job()
    run_directory.chmod(0o755)
    done = ran("list")
    assert done.returncode == 3
    assert "is open to others" in done.stderr
    assert len(done.stderr.splitlines()) == 1
