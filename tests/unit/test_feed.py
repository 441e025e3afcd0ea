"""What a viewer makes of an agent's frames, without sockets and with a clock of its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gradwatch.model import Link, Trouble
from gradwatch.sources.feed import Feed
from gradwatch.sources.order import Order
from gradwatch_agent import wire
from gradwatch_agent.journal import Journal

HELLO = wire.Hello(run="r1", job="toy", host="here", pid=7, started=0.0)


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Agent:
    """A journal, and the bytes an agent would send."""

    def __init__(self) -> None:
        self.journal = Journal()
        self.journal.append(HELLO)

    def iteration(self, number: int) -> bytes:
        return self.journal.append(wire.Iteration(number=number, at=0.0))

    def beat(self) -> bytes:
        return self.journal.unnumbered(wire.Beat(at=0.0))

    def past(self, feed: Feed) -> list[bytes]:
        return [feed.topic, *self.journal.keyframe(), self.beat()]

    def answer(self, question: bytes) -> list[bytes]:
        asked = wire.decode_request(question)
        return [question, *self.journal.replay(asked.since, asked.upto)]


def joined() -> tuple[Agent, Feed, Clock]:
    agent, clock = Agent(), Clock()
    feed = Feed(7, clock, clock)
    list(feed.live(agent.past(feed)))
    return agent, feed, clock


def numbers(events) -> list[int]:
    return [event.number for event in events if isinstance(event, wire.Iteration)]


def test_the_hello_comes_first_then_the_link_then_the_past():
    agent, clock = Agent(), Clock()
    agent.iteration(0)
    agent.journal.append(HELLO)  # said again, e.g. when the rank became known
    feed = Feed(7, clock, clock)

    assert list(feed.live([wire.TOPIC, agent.iteration(1)])) == []
    assert [type(event) for event in feed.live(agent.past(feed))] == [
        wire.Hello,
        Link,
        wire.Iteration,
        wire.Iteration,
        wire.Beat,
    ]


def test_frames_in_order_are_handed_on_at_once():
    agent, feed, _ = joined()
    assert numbers(feed.live([wire.TOPIC, agent.iteration(0), agent.iteration(1)])) == [0, 1]
    assert feed.question() is None


def test_what_was_had_before_is_not_told_again():
    agent, feed, _ = joined()
    frame = agent.iteration(0)
    assert numbers(feed.live([wire.TOPIC, frame])) == [0]
    assert numbers(feed.live([wire.TOPIC, frame])) == []
    assert numbers(feed.live(agent.past(feed))) == []


def test_after_a_gap_all_waits_until_it_is_filled():
    agent, feed, _ = joined()
    agent.iteration(0)
    assert numbers(feed.live([wire.TOPIC, agent.iteration(1)])) == []

    question = feed.question()
    assert wire.decode_request(question) == wire.Replay(2, 2)
    assert feed.question() is None
    assert numbers(feed.answer(agent.answer(question))) == [0, 1]
    assert feed.question() is None


def test_a_beat_shows_what_was_missed_last():
    agent, feed, _ = joined()
    agent.iteration(0)
    list(feed.live([wire.TOPIC, agent.beat()]))

    assert numbers(feed.answer(agent.answer(feed.question()))) == [0]


def test_an_unanswered_question_is_repeated_and_given_up():
    agent, feed, clock = joined()
    agent.iteration(0)
    list(feed.live([wire.TOPIC, agent.iteration(1)]))
    asked = []
    told = []
    for _ in range(20):
        asked.append(feed.question())
        told += feed.check(alive=True)
        list(feed.live([wire.TOPIC, agent.beat()]))
        clock.now += 0.5

    assert len([question for question in asked if question]) == 3
    assert (numbers(told), [e for e in told if isinstance(e, Trouble)]) == ([1], [Trouble(lost=1)])


def test_a_question_that_a_broken_connection_swallowed_is_not_given_up():
    agent, feed, clock = joined()
    agent.iteration(0)
    list(feed.live([wire.TOPIC, agent.iteration(1)]))
    told = []
    for _ in range(20):
        feed.question()
        clock.now += 1
        told += feed.check(alive=True)
    told += feed.live([wire.TOPIC, agent.beat()])
    told += feed.check(alive=True)

    assert [event for event in told if isinstance(event, Trouble)] == []
    assert numbers(feed.answer(agent.answer(feed.question()))) == [0, 1]


def test_an_answer_that_comes_too_late_or_unasked_is_ignored():
    agent, feed, _ = joined()
    request = wire.encode_request(wire.Replay(1, 1))
    assert list(feed.answer(agent.answer(request))) == []
    assert list(feed.answer([b"nonsense"])) == []


def test_a_past_that_never_comes_is_asked_for_anew():
    clock = Clock()
    feed = Feed(7, clock, clock)
    topic = feed.topic
    assert not feed.waits_in_vain
    clock.now += 4

    assert feed.waits_in_vain
    feed.renew()
    assert (feed.topic != topic, feed.waits_in_vain) == (True, False)


def test_a_silence_is_told_once_and_ends_with_the_next_beat():
    agent, feed, clock = joined()
    clock.now += 3.5
    first = list(feed.check(alive=True))
    clock.now += 3.5
    again = list(feed.check(alive=True))
    back = list(feed.live([wire.TOPIC, agent.beat()]))

    assert [(e.up, e.why[:14]) for e in first] == [(False, "no beat since ")]
    assert again == []
    assert isinstance(back[0], Link)
    assert back[0].up


def test_a_gone_process_is_told_after_what_it_had_said():
    agent, feed, clock = joined()
    agent.iteration(0)
    list(feed.live([wire.TOPIC, agent.iteration(1)]))
    assert list(feed.check(alive=False)) == []
    clock.now += 0.5

    assert list(feed.check(alive=False)) == [
        wire.Iteration(number=1, at=0.0),
        Trouble(lost=1),
        Link(up=False, why="its process 7 is gone", at=clock.now),
    ]
    assert feed.over


def test_a_farewell_ends_the_feed():
    agent, feed, clock = joined()
    bye = wire.Bye(at=0.0, reason="crashed")

    assert list(feed.live([wire.TOPIC, agent.journal.append(bye)])) == [
        bye,
        Link(up=False, why="it crashed", at=clock.now),
    ]
    assert feed.over


def test_a_farewell_behind_a_gap_is_told_when_nobody_is_left_to_ask():
    agent, feed, clock = joined()
    agent.iteration(0)
    bye = wire.Bye(at=0.0)
    assert list(feed.live([wire.TOPIC, agent.journal.append(bye)])) == []
    list(feed.check(alive=False))
    clock.now += 0.5

    assert list(feed.check(alive=False)) == [
        bye,
        Trouble(lost=1),
        Link(up=False, why="it finished", at=clock.now),
    ]


@given(st.lists(st.tuples(st.sampled_from("sdb"), st.booleans()), max_size=60))
def test_whatever_is_dropped_all_is_told_once_in_order(fates):
    """s: sent, d: dropped, b: dropped and a beat sent; the second tells whether answers arrive."""
    agent, feed, clock = joined()
    told = []
    unanswered = 0
    for number, (fate, answers) in enumerate(fates + [("b", True)] * 100):
        if number < len(fates):
            frame = agent.iteration(number)
        if fate == "s":
            told += feed.live([wire.TOPIC, frame])
        elif fate == "b":
            told += feed.live([wire.TOPIC, agent.beat()])
        if question := feed.question():
            unanswered = 0 if answers or unanswered == 2 else unanswered + 1
            told += [] if unanswered else feed.answer(agent.answer(question))
        told += feed.check(alive=True)
        clock.now += 0.5

    assert numbers(told) == list(range(len(fates)))
    assert [event for event in told if isinstance(event, Trouble)] == []


def frame(number: int, covers: int = 1) -> wire.Frame:
    return wire.decode_frame(wire.encode(wire.Bye(at=0.0), number, covers))


def test_folded_frames_fill_a_gap_without_a_loss():
    order = Order()
    order.fill([frame(1)], 1)
    handed_on, lost = order.fill([frame(4, 3), frame(6, 2)], 6)

    assert ([f.n for f in handed_on], lost, order.newest) == ([4, 6], 0, 6)


def test_the_past_before_the_first_frame_is_not_lost():
    assert Order().fill([frame(9)], 9)[1] == 0
