"""The alert log on real files: rotation, full disks, kills, several writers."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from gradwatch_agent import wire
from gradwatch_agent.alertlog import AlertLog

FINDING = wire.Finding(
    kind="graph-held",
    level="warning",
    state="raised",
    time="2024-01-01T00:00:00.000Z",
    run="r1",
    job="toy",
    host="here",
    pid=1,
    rank=0,
    iteration=0,
    since_iteration=0,
    message="Something keeps the graphs of earlier iterations alive." * 10,
)


def numbered(number: int) -> wire.Finding:
    return msgspec.structs.replace(FINDING, iteration=number)


def iterations(path: Path) -> list[int]:
    """The findings of a file, each line of which must be whole."""
    text = path.read_text()
    assert text == "" or text.endswith("\n")
    return [json.loads(line)["iteration"] for line in text.splitlines()]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alerts.jsonl"


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    caplog.set_level(logging.WARNING, "gradwatch")
    return lambda: caplog.messages


def test_a_line_carries_every_field_of_the_contract(path):
    log = AlertLog(path)
    log.write(FINDING)
    log.close()

    told = json.loads(path.read_text())
    assert told.pop("type") == "finding"
    assert told == msgspec.structs.asdict(FINDING) | {"way": list(FINDING.way)}


def test_a_file_is_appended_to(path):
    for number in range(3):
        log = AlertLog(path)
        log.write(numbered(number))
        log.close()

    assert iterations(path) == [0, 1, 2]


def test_a_rename_makes_a_new_file(path, tmp_path):
    log = AlertLog(path)
    log.write(numbered(0))
    path.rename(tmp_path / "alerts.jsonl.1")
    log.write(numbered(1))
    log.write(numbered(2))
    log.close()

    assert iterations(tmp_path / "alerts.jsonl.1") == [0]
    assert iterations(path) == [1, 2]


def test_a_file_that_was_removed_is_made_again(path):
    log = AlertLog(path)
    log.write(numbered(0))
    path.unlink()
    log.write(numbered(1))
    log.close()

    assert iterations(path) == [1]


def test_a_path_is_not_followed_by_a_change_of_directory(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    log = AlertLog(Path("alerts.jsonl"))
    monkeypatch.chdir("/")
    log.write(numbered(0))
    log.close()

    assert iterations(path) == [0]


def test_a_name_that_is_no_utf8_is_written_escaped(path):
    log = AlertLog(path)
    log.write(msgspec.structs.replace(FINDING, file="tr\udcffin.py"))
    log.close()

    assert json.loads(path.read_text())["file"] == "tr\\udcffin.py"


@pytest.mark.parametrize("cut", [1, 10, 100, 700])
def test_the_half_line_of_a_killed_writer_is_removed(path, cut):
    log = AlertLog(path)
    log.write(numbered(0))
    log.write(numbered(1))
    log.close()
    whole = path.read_bytes()
    end_of_first = whole.index(b"\n") + 1
    path.write_bytes(whole[: end_of_first + cut])

    log = AlertLog(path)
    assert iterations(path) == [0]
    log.write(numbered(2))
    log.close()

    assert iterations(path) == [0, 2]


def test_a_whole_line_that_lacks_its_newline_stays(path):
    log = AlertLog(path)
    log.write(numbered(0))
    log.close()
    path.write_bytes(path.read_bytes()[:-1])
    log = AlertLog(path)
    log.write(numbered(1))
    log.close()

    assert iterations(path) == [0, 1]


def test_what_others_wrote_is_never_removed(path):
    path.write_text("a note without an end")
    log = AlertLog(path)
    log.write(numbered(0))
    log.close()

    first, second, rest = path.read_text().split("\n")
    assert (first, json.loads(second)["iteration"], rest) == ("a note without an end", 0, "")


def test_a_path_that_cannot_be_written_is_told_once_and_tried_again(tmp_path, said):
    clock = Clock()
    path = tmp_path / "missing" / "alerts.jsonl"
    log = AlertLog(path, clock)
    for number in range(5):
        log.write(numbered(number))
    clock.now += 10
    log.retry()
    assert said() == [
        f"gradwatch: alerts cannot be written to {path}: No such file or directory; they wait"
    ]

    path.parent.mkdir()
    log.retry()
    assert not path.exists()  # asked again no more often than each second

    clock.now += 1
    log.retry()
    assert iterations(path) == [0, 1, 2, 3, 4]
    assert said()[1:] == [f"gradwatch: alerts reach {path} again; 5 written late, 0 lost meanwhile"]

    log.write(numbered(5))
    log.close()
    assert (iterations(path)[-1], len(said())) == (5, 2)


def test_what_waits_is_bounded_and_what_is_lost_is_counted(tmp_path, said):
    clock = Clock()
    path = tmp_path / "missing" / "alerts.jsonl"
    log = AlertLog(path, clock)
    for number in range(1_003):
        log.write(numbered(number))
    path.parent.mkdir()
    clock.now += 1
    log.retry()
    log.close()

    assert iterations(path) == list(range(3, 1_003))
    assert said()[1] == f"gradwatch: alerts reach {path} again; 1000 written late, 3 lost meanwhile"


def test_what_never_reached_the_file_is_told_at_the_end(tmp_path, said):
    path = tmp_path / "missing" / "alerts.jsonl"
    log = AlertLog(path)
    log.write(FINDING)
    log.close()

    assert said()[1:] == [f"gradwatch: findings that never reached {path}: 1"]


def test_a_full_device_is_told(said):
    log = AlertLog(Path("/dev/full"))
    log.write(FINDING)

    assert said() == [
        "gradwatch: alerts cannot be written to /dev/full: No space left on device; they wait"
    ]


def test_a_limit_in_the_middle_of_a_line_leaves_no_half_line(path, said):
    resource = pytest.importorskip("resource")
    clock = Clock()
    log = AlertLog(path, clock)
    log.write(numbered(0))
    size = path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size * 5 // 2, hard))
        log.write(numbered(1))
        log.write(numbered(2))
        written = path.read_bytes()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(written) == 2 * size
    assert said() == [f"gradwatch: alerts cannot be written to {path}: File too large; they wait"]

    clock.now += 1
    log.write(numbered(3))
    log.close()
    assert iterations(path) == [0, 1, 2, 3]


FULL_DISK = """
import itertools, sys
from pathlib import Path
from gradwatch_agent.alertlog import AlertLog
from test_alertlog import iterations, numbered

disk = Path(sys.argv[1])
(disk / "ballast").write_bytes(b"x" * 90_000)
log = AlertLog(disk / "alerts.jsonl", clock=itertools.count(step=10).__next__)
for number in range(100):
    log.write(numbered(number))
before = iterations(disk / "alerts.jsonl")
(disk / "ballast").unlink()
log.retry()
log.close()
print(len(before) < 100, iterations(disk / "alerts.jsonl") == list(range(100)))
"""


def test_a_disk_that_is_full_and_is_cleared_loses_nothing(tmp_path):
    """On a file system of 128 KiB, mounted where only this test can see it."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare")
    script = f"mount -t tmpfs -o size=128k none {tmp_path} && exec {sys.executable} - {tmp_path}"
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script],
        input=FULL_DISK,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip(f"may not mount: {done.stderr.strip()}")

    assert done.stdout == "True True\n"
    assert len(done.stderr.splitlines()) == 2


WRITER = """
import sys
from pathlib import Path
from gradwatch_agent.alertlog import AlertLog
from test_alertlog import numbered

log = AlertLog(Path(sys.argv[1]))
print("writes", flush=True)
number = 0
while number < int(sys.argv[2]):
    log.write(numbered(number))
    number += 1
log.close()
"""


def writer(path: Path, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )


def test_killed_in_the_middle_each_line_is_whole(path):
    with writer(path, 10**9) as killed:
        assert killed.stdout.readline() == b"writes\n"
        while not path.exists() or path.stat().st_size < 200_000:
            assert killed.poll() is None
        killed.send_signal(signal.SIGKILL)
    AlertLog(path).close()

    found = iterations(path)
    assert found == list(range(len(found)))


def test_several_writers_never_mix_their_lines(path):
    writers = [writer(path, 500) for _ in range(3)]
    for each in writers:
        each.communicate()

    assert sorted(iterations(path)) == sorted([*range(500)] * 3)
