"""What the headless watcher says, and what it keeps to itself."""

import msgspec
import pytest

from gradwatch.model import Link, Trouble
from gradwatch.watcher import UPDATE_EVERY_S, Watcher
from gradwatch_agent import wire

HELLO = wire.Hello(run="r1", job="train.py", host="h", pid=7, started=0.0)
RAISED = wire.Finding(
    kind="graph-chain",
    level="warning",
    state="raised",
    time="2026-01-02T03:04:05.678Z",
    run="r1",
    job="train.py",
    host="h",
    pid=7,
    rank=0,
    iteration=12,
    since_iteration=2,
    message="The loss reaches earlier graphs.",
    file="/src/train.py",
    line=19,
    code="Yest = Yest + w*X",
    suggestion="Start from `Yest.detach()`.",
    id="graph-chain:1",
)


def changed(**fields) -> wire.Finding:
    return msgspec.structs.replace(RAISED, **fields)


class Spoken:
    """A watcher and what it said, noted and logged."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.notes: list[str] = []
        self.logged: list[wire.Finding] = []
        self.watcher = Watcher(self.said.append, self.notes.append, self.logged.append)

    def take(self, *events, now=0.0, key="r1") -> None:
        for event in events:
            self.watcher.take(key, event, now)


@pytest.fixture
def spoken() -> Spoken:
    return Spoken()


def test_a_finding_is_a_line_with_its_place_and_the_change_to_make(spoken):
    spoken.take(HELLO, RAISED)
    (text,) = spoken.said
    assert text == (
        "2026-01-02T03:04:05.678Z train.py warning graph-chain raised at iteration 12: "
        "The loss reaches earlier graphs.\n"
        "  /src/train.py:19  Yest = Yest + w*X\n"
        "  change: Start from `Yest.detach()`."
    )


def test_what_is_not_known_is_left_out(spoken):
    spoken.take(HELLO, changed(file=None, line=None, code=None, suggestion=None))
    assert len(spoken.said[0].splitlines()) == 1


def test_the_rank_is_told_where_there_are_several(spoken):
    spoken.take(msgspec.structs.replace(HELLO, rank=3, world_size=8), RAISED)
    assert " train.py/3 warning " in spoken.said[0]


def test_moving_numbers_are_logged_each_time_but_said_now_and_then(spoken):
    spoken.take(HELLO, RAISED)
    spoken.take(changed(state="updated", iteration=13), now=UPDATE_EVERY_S - 1)
    assert len(spoken.said) == 1
    spoken.take(changed(state="updated", iteration=14), now=UPDATE_EVERY_S)
    assert [line.splitlines()[0].split()[4] for line in spoken.said] == ["raised", "updated"]
    assert len(spoken.said[1].splitlines()) == 1
    assert [finding.iteration for finding in spoken.logged] == [12, 13, 14]


@pytest.mark.parametrize("news", [{"level": "critical"}, {"line": 20}, {"suggestion": "Other."}])
def test_an_update_that_says_something_new_is_said_at_once(spoken, news):
    spoken.take(HELLO, RAISED, changed(state="updated", **news))
    assert len(spoken.said) == 2


def test_the_end_of_a_finding_is_said_at_once_and_briefly(spoken):
    spoken.take(HELLO, RAISED, changed(state="resolved"))
    assert spoken.said[1] == (
        "2026-01-02T03:04:05.678Z train.py warning graph-chain resolved at iteration 12: "
        "The loss reaches earlier graphs."
    )


def test_a_finding_told_again_unchanged_is_no_news(spoken):
    spoken.take(HELLO, RAISED, RAISED)
    assert (len(spoken.said), len(spoken.logged)) == (1, 1)


def test_a_lost_link_is_a_finding_like_others(spoken):
    spoken.take(HELLO, Link(up=True), Link(up=False, why="its process is gone", at=0.0))
    assert "train.py warning lost raised" in spoken.said[0]
    assert [finding.kind for finding in spoken.logged] == ["lost"]
    spoken.take(Link(up=True))
    assert "train.py warning lost resolved" in spoken.said[1]


def test_a_link_that_ends_after_a_farewell_is_none(spoken):
    spoken.take(HELLO, Link(up=True), wire.Bye(at=1.0), Link(up=False, why="gone"))
    assert spoken.said == []


def test_the_levels_found(spoken):
    assert not spoken.watcher.found("info")
    spoken.take(HELLO, RAISED)
    assert [spoken.watcher.found(level) for level in wire.LEVELS] == [True, True, False]


def test_coming_and_going_is_noted_once(spoken):
    iteration = wire.Iteration(number=310, at=1.0)
    bye = wire.Bye(at=1.0, reason="crashed")
    spoken.take(HELLO, HELLO, iteration, bye, bye)
    assert spoken.notes == ["watching train.py (pid 7)", "train.py crashed after 311 iterations"]


def test_one_iteration_is_one(spoken):
    spoken.take(HELLO, wire.Iteration(number=0, at=1.0), wire.Bye(at=1.0))
    assert spoken.notes[1] == "train.py finished after 1 iteration"


def test_each_trouble_is_noted_once_per_job(spoken):
    spoken.take(HELLO, Trouble(newer=1), Trouble(newer=5), Trouble(garbage=1), Trouble(lost=2))
    spoken.take(Trouble(garbage=1), key="r2")
    assert [note.split()[0] for note in spoken.notes] == [
        "watching",
        "train.py",
        "train.py",
        "some",
        "r2",
    ]
    assert "newer version" in spoken.notes[1]
