"""The inbox and the thinning of a busy moment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent import wire
from gradwatch_agent.link.inbox import Inbox, fold, thin


def iteration(number: int, lane: int = 0) -> wire.Iteration:
    return wire.Iteration(number=number, at=0.0, lane=lane)


def backward(number: int, error: str | None = None) -> wire.Backward:
    return wire.Backward(at=0.0, iteration=number, error=error)


BYE = wire.Bye(at=0.0)


def test_what_is_put_is_taken_once_in_order():
    inbox = Inbox()
    flow = [iteration(0), backward(0), wire.Memory(at=0.0, iteration=0)]
    rings = [inbox.put(message) for message in [*flow, BYE]]

    assert rings == [False, False, False, True]
    assert inbox.take() == (flow, [BYE])
    assert inbox.take() == ([], [])
    assert inbox.lost == 0


def test_an_overflow_drops_the_oldest_of_the_flow_and_counts_them():
    inbox = Inbox(limit=10)
    for number in range(25):
        inbox.put(iteration(number))
        inbox.put(BYE)
    flow, dear = inbox.take()

    assert [message.number for message in flow] == list(range(15, 25))
    assert (len(dear), inbox.lost) == (25, 15)

    inbox.put(iteration(25))
    inbox.take()
    assert inbox.lost == 15


def test_with_room_for_all_nothing_is_folded():
    flow = [iteration(number) for number in range(100, 150)]
    assert fold(flow, 50) == flow


@given(
    st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=300),
    st.integers(1, 60),
)
def test_a_fold_covers_each_iteration_once_and_mixes_no_lanes(steps, room):
    flow: list[wire.Iteration | wire.Backward] = []
    for number, (lane, with_backward) in enumerate(steps, start=64):
        flow += [backward(number)] * with_backward
        flow.append(iteration(number, lane))
    folded = fold(flow, room)

    assert [m for m in folded if isinstance(m, wire.Backward)] == [
        m for m in flow if isinstance(m, wire.Backward)
    ]
    for lane in range(3):
        before = [m for m in flow if isinstance(m, wire.Iteration) and m.lane == lane]
        after = [m for m in folded if isinstance(m, wire.Iteration) and m.lane == lane]
        assert sum(m.count for m in after) == len(before)
        assert [m.number for m in after] == sorted(m.number for m in after)
        assert [m.number for m in after][-1:] == [m.number for m in before][-1:]
    assert sum(isinstance(m, wire.Iteration) for m in folded) <= room + 3


def test_the_first_iterations_are_never_folded():
    folded = fold([iteration(number) for number in range(100)], 1)
    assert [m.number for m in folded] == [*range(64), 99]


@given(st.lists(st.booleans(), max_size=200), st.integers(1, 40))
def test_thinning_keeps_failures_and_the_newest_and_counts_the_rest(fails, room):
    flow = [backward(i, "boom" if failed else None) for i, failed in enumerate(fails)]
    kept = thin(flow, room)

    assert [m.iteration for m in kept if m.error] == [i for i, f in enumerate(fails) if f]
    assert sum(1 + m.skipped for m in kept) == len(flow)
    assert [m.iteration for m in kept][-1:] == [m.iteration for m in flow][-1:]
    assert sum(m.error is None for m in kept) <= room
