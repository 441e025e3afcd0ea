"""What a checked process leaves behind, whole whenever the process is ended."""

import json
import os
import threading

import pytest

from gradwatch_agent.checking import Checking, Enough


def _ends(checking: Checking, number: int) -> None:
    with pytest.raises(Enough):
        checking.iteration_ended(number)


def test_a_report_is_never_half_written(tmp_path):
    checking = Checking(1, tmp_path)
    _ends(checking, 0)
    report = tmp_path / f"{os.getpid()}.json"
    with report.open() as being_read:
        for number in range(1, 4):
            _ends(checking, number)
        assert json.load(being_read)["caught"] is False
    assert json.loads(report.read_text())["caught"] is True
    assert list(tmp_path.glob("*.json")) == [report]


def test_a_thread_is_ended_by_the_one_exception_of_which_threading_says_nothing(
    tmp_path, monkeypatch
):
    ended = []
    monkeypatch.setattr(threading, "excepthook", lambda said: ended.append(said.exc_type))
    checking = Checking(1, tmp_path)
    thread = threading.Thread(target=checking.iteration_ended, args=(0,))
    thread.start()
    thread.join()
    assert checking.has_stopped()
    assert ended == [SystemExit]
