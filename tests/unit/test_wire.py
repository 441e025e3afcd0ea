"""The wire: what was ever sent decodes for ever, and nothing that comes in can hurt."""

from __future__ import annotations

import contextlib
import unicodedata
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent import wire

GOLDEN = Path(__file__).with_name("golden")

SENT = {
    "hello": wire.Hello(
        run="f3a1",
        job="run-7",
        host="node3",
        pid=4242,
        started=1700000000.25,
        rank=3,
        world_size=8,
        script="train.py",
        python="3.11.7",
        torch="2.13.0",
        agent="0.1.0",
        budget=0.02,
    ),
    "iteration": wire.Iteration(
        number=311,
        at=1700000025.5,
        duration_s=0.25,
        backward_s=0.125,
        backwards=2,
        built=14,
        reached=3124,
        stale=3110,
        oldest=0,
        live=311,
        held=310,
        saved_bytes=48_000_000,
        storages=620,
        types={"MulBackward0": 1555, "AddBackward0": 1555},
        count=4,
        lane=1,
    ),
    "iteration-bare": wire.Iteration(number=0, at=1.0),
    "backward": wire.Backward(
        at=1700000025.25,
        iteration=311,
        duration_s=0.09,
        call="grad",
        root="MeanBackward0",
        roots=2,
        file="train.py",
        line=24,
        function="train",
        retain_graph=True,
        create_graph=True,
        error="RuntimeError: Trying to backward through the graph a second time",
        skipped=5,
        lane=1,
    ),
    "memory": wire.Memory(
        at=1700000026.0,
        iteration=311,
        rss_bytes=3_100_000_000,
        peak_rss_bytes=3_200_000_000,
        limit_bytes=80_000_000_000,
        limit_used_bytes=41_000_000_000,
        limit_kind="cgroup",
        allocated_bytes=1,
        reserved_bytes=2,
        devices=(wire.DeviceMemory("GPU-1", 1, 2, 3, 4), wire.DeviceMemory("GPU-2")),
    ),
    "finding": wire.Finding(
        kind="graph-chain",
        level="critical",
        state="updated",
        time="2023-11-14T22:13:45.500Z",
        run="f3a1",
        job="run-7",
        host="node3",
        pid=4242,
        rank=3,
        iteration=311,
        since_iteration=2,
        message="The loss reaches the graphs of 311 earlier iterations, +10 nodes each.",
        file="train.py",
        line=19,
        code="Yest = Yest + w*X",
        holder="Yest",
        suggestion="Yest = Yest.detach() + w*X",
        nodes_per_iteration=10.0,
        bytes_per_iteration=160000.0,
        eta_iterations=900,
        id="graph-chain/0",
    ),
    "finding-shown": wire.Finding(
        kind="graph-chain",
        level="critical",
        state="raised",
        time="2023-11-14T22:13:45.500Z",
        run="f3a1",
        job="run-7",
        host="node3",
        pid=4242,
        rank=3,
        iteration=5,
        since_iteration=2,
        message="The loss reaches the graphs of 4 earlier iterations, +10 nodes each.",
        file="train.py",
        line=19,
        source=wire.Excerpt(18, ("for t in range(5):", "    Yest = Yest + w*X")),
        way=(
            wire.Step("MeanBackward0", 5, "train.py", 21),
            wire.Step("AddBackward0", 4, "train.py", 19, skipped=3),
        ),
    ),
    "beat": wire.Beat(
        at=1700000026.5,
        iteration=311,
        share=0.004,
        agent_s=0.1,
        lost=1,
        rejected=2,
        off=("capture",),
        viewers=3,
    ),
    "bye": wire.Bye(at=1700000027.0, reason="crashed", error="ValueError: boom", iteration=311),
}


@pytest.mark.parametrize("name", SENT)
def test_a_frame_of_old_decodes_for_ever(name):
    frame = wire.decode_frame((GOLDEN / f"{name}.frame").read_bytes())

    assert (frame.v, frame.n, frame.c) == (1, 7, 2)
    assert wire.decode_body(frame) == SENT[name]


def test_a_request_of_old_decodes_for_ever():
    assert wire.decode_request((GOLDEN / "replay.request").read_bytes()) == wire.Replay(3, 9)


def test_every_message_has_a_golden_frame():
    tags = {type(message) for message in SENT.values()}
    assert tags == set(wire.Message.__args__)


def test_an_unknown_field_does_not_hurt():
    body = msgspec.msgpack.decode(msgspec.msgpack.encode(SENT["iteration"]))
    body["a_field_of_tomorrow"] = [1, {"deep": None}]
    frame = wire.Frame(1, 7, msgspec.Raw(msgspec.msgpack.encode(body)))

    assert wire.decode_body(frame) == SENT["iteration"]


def test_an_unknown_field_of_the_envelope_does_not_hurt():
    envelope = {"v": 1, "n": 7, "b": {"type": "bye", "at": 1.0}, "c": 1, "signed": b"..."}
    frame = wire.decode_frame(msgspec.msgpack.encode(envelope))

    assert wire.decode_body(frame) == wire.Bye(at=1.0)


def test_an_unknown_tag_is_undecodable_but_keeps_its_number():
    frame = wire.decode_frame(msgspec.msgpack.encode({"v": 1, "n": 7, "b": {"type": "later"}}))
    assert frame.n == 7
    with pytest.raises(wire.Undecodable):
        wire.decode_body(frame)


def test_a_newer_version_is_told_apart():
    data = msgspec.msgpack.encode({"v": wire.VERSION + 1, "n": 7, "b": {"type": "bye", "at": 1.0}})
    with pytest.raises(wire.NewerVersion, match="this gradwatch reads up to 1"):
        wire.decode_frame(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_undecodable(data):
    with pytest.raises(wire.Undecodable):
        wire.decode_body(wire.decode_frame(data))


@given(st.sampled_from(sorted(SENT)), st.data())
def test_a_garbled_frame_raises_nothing_else(name, data):
    frame = bytearray((GOLDEN / f"{name}.frame").read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(wire.Undecodable, wire.NewerVersion):
        wire.decode_body(wire.decode_frame(bytes(frame)))


@pytest.mark.parametrize("opening", [b"\x91", b"\x81\xa1b"], ids=["lists", "maps"])
def test_deep_nesting_is_undecodable(opening):
    nested = opening * 100_000 + b"\xc0"
    with pytest.raises(wire.Undecodable):
        wire.decode_frame(nested)
    with pytest.raises(wire.Undecodable):
        wire.decode_request(nested)
    with pytest.raises(wire.Undecodable):
        wire.decode_body(wire.Frame(1, 1, msgspec.Raw(nested)))


TEXT = st.text(max_size=50)
COUNT = st.integers(0, 2**62)
TIME = st.floats(0, 1e12)
MESSAGES = st.one_of(
    st.builds(wire.Iteration, number=COUNT, at=TIME, types=st.dictionaries(TEXT, COUNT)),
    st.builds(wire.Backward, at=TIME, iteration=COUNT, root=TEXT, error=st.none() | TEXT),
    st.builds(wire.Hello, run=TEXT, job=TEXT, host=TEXT, pid=COUNT, started=TIME),
    st.builds(wire.Bye, at=TIME, reason=TEXT, error=st.none() | TEXT),
    st.builds(wire.Beat, at=TIME, off=st.lists(TEXT, max_size=3).map(tuple)),
)


@given(MESSAGES, COUNT, COUNT)
def test_a_message_comes_back_clean(message, number, covers):
    frame = wire.decode_frame(wire.encode(message, number, covers))

    assert (frame.v, frame.n, frame.c) == (wire.VERSION, number, covers)
    assert wire.decode_body(frame) == wire.cleaned(message)


@given(COUNT, COUNT)
def test_a_request_comes_back(since, upto):
    request = wire.Replay(since, upto)
    assert wire.decode_request(wire.encode_request(request)) == request


@given(st.text())
def test_clean_text_holds_nothing_that_a_terminal_obeys(text):
    cleaned = wire.clean(text)

    assert cleaned.isprintable()
    assert not {unicodedata.category(c) for c in cleaned} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert wire.clean(cleaned) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("loss = f(x)", "loss = f(x)"),
        ("größe µs 損失", "größe µs 損失"),
        ("❤\ufe0f 👩\u200d👧", "❤ 👩👧"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x9b31m", "\\x9b31m"),
        ("evil\u202egnp.exe", "evil\\u202egnp.exe"),
        ("[/bold]", "[/bold]"),
        ("x" * 5_000, "x" * 3_999 + "…"),
    ],
)
def test_clean(text, cleaned):
    assert wire.clean(text) == cleaned


def test_text_is_cleaned_at_any_depth():
    dirty = wire.Memory(at=0.0, iteration=0, devices=(wire.DeviceMemory("\x1b", name="\x1b"),))
    types = wire.Iteration(number=0, at=0.0, types={"\x1b": 1})

    assert wire.decode_body(wire.decode_frame(wire.encode(dirty, 1))).devices[0].uuid == "\\x1b"
    assert wire.decode_body(wire.decode_frame(wire.encode(types, 1))).types == {"\\x1b": 1}


def test_text_that_is_no_utf8_is_sent_escaped():
    hello = wire.Hello(run="r", job="tr\udcffin", host="h", pid=1, started=0.0)
    assert wire.decode_body(wire.decode_frame(wire.encode(hello, 1))).job == "tr\\udcffin"
