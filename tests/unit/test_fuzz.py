"""Bytes that an enemy chose: whatever comes in, it is refused or understood, never worse."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, reject, settings
from hypothesis import strategies as st

from gradwatch.commands import report
from gradwatch_agent import remains, runfile, wire
from gradwatch_agent.runfile import RunFile

from ..fuzz import readers

KEPT = sorted((Path(readers.__file__).parent / "corpus").iterdir())

MANY = settings(max_examples=int(os.environ.get("FUZZ", "60")), deadline=None)
"""FUZZ=100000 for a longer look; tests/fuzz/hunt.py for one led by coverage."""

numbers = st.integers(-(2**63), 2**64 - 1)
plain = st.none() | st.booleans() | numbers | st.floats() | st.text()
values = st.recursive(
    plain | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
"""Anything that msgpack can carry."""

messages = st.one_of(
    *(
        st.builds(kind)
        for kind in (wire.Hello, wire.Iteration, wire.Backward, wire.Memory, wire.Finding)
    ),
    st.builds(wire.Beat),
    st.builds(wire.Bye),
)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A good frame in which some bytes were changed, cut off or put in."""
    number, covers = draw(st.integers(0, 2**40)), draw(st.integers(0, 9))
    try:
        frame = bytearray(wire.encode(draw(messages), number, covers))
    except OverflowError:  # an integer larger than any count of ours
        reject()
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(len(frame) - 1, 0)))
        frame[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(frame)


@st.composite
def dressed(draw: st.DrawFn) -> bytes:
    """A good envelope around anything."""
    body = msgspec.msgpack.encode(draw(values))
    tagged = msgspec.msgpack.encode(
        {"type": draw(st.sampled_from(["hello", "iteration", "finding", "beat", "bye"]))}
        | draw(
            st.dictionaries(st.sampled_from(wire.Iteration.__struct_fields__), plain, max_size=5)
        )
    )
    raw = msgspec.Raw(draw(st.sampled_from([body, tagged])))
    return msgspec.msgpack.encode(wire.Frame(1, draw(numbers), raw, draw(numbers)))


hostile = st.binary(max_size=200) | spoilt() | dressed() | values.map(msgspec.msgpack.encode)


@MANY
@given(hostile)
def test_a_frame_is_understood_or_refused_and_all_its_text_is_printable(data):
    try:
        message = wire.decode_body(wire.decode_frame(data))
    except (wire.Undecodable, wire.NewerVersion):
        return
    for text in texts(message):
        assert text.isprintable()
        assert len(text) <= wire.MAX_TEXT * 10  # each escaped at worst


def texts(value: object) -> list[str]:
    if isinstance(value, msgspec.Struct):
        return [text for name in value.__struct_fields__ for text in texts(getattr(value, name))]
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts(one)]
    if isinstance(value, tuple):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


@MANY
@given(hostile)
@example(b"\x83\xa4type\xa6repl\xe1y")  # what a fuzzer once found: a tag that is no UTF-8
def test_a_request_is_understood_or_refused(data):
    with contextlib.suppress(wire.Undecodable):
        assert isinstance(wire.decode_request(data), wire.Replay)


@MANY
@given(st.lists(st.tuples(st.sampled_from([b"!", b".", b"?"]), hostile), max_size=6))
def test_a_hostile_agent_brings_no_viewer_down(sent):
    readers.conversation(readers.PART.join(how + data for how, data in sent))


@MANY
@given(st.binary(max_size=300) | values.map(lambda value: repr(value).encode("utf-8", "replace")))
def test_a_run_file_is_understood_or_ignored(data):
    assert runfile.parse(data, "r1") is None or isinstance(runfile.parse(data, "r1"), RunFile)


@MANY
@given(
    st.dictionaries(st.sampled_from(RunFile.__struct_fields__), plain),
    st.sampled_from(["r1", "../r1", "", "\x1b"]),
)
def test_a_run_file_of_any_fields_is_understood_or_ignored(fields, name):
    good = RunFile("r1", "toy", 1, 0.0, "here", "ipc:///x")
    try:
        data = msgspec.json.encode(msgspec.to_builtins(good) | {"run": name} | fields)
    except UnicodeEncodeError:
        return
    entry = runfile.parse(data, name)
    if entry is not None:
        assert "/" not in entry.run
        assert entry.pid > 0
        assert all(text.isprintable() for text in (entry.job, entry.host, entry.script))
        assert runfile.alive(entry) in (True, False)


bad = st.dictionaries(st.sampled_from(wire.Finding.__struct_fields__), plain)


@MANY
@given(st.dictionaries(st.sampled_from(wire.Hello.__struct_fields__), plain), st.lists(bad), plain)
def test_what_is_left_of_a_run_is_told_or_ignored(hello, findings, at):
    finding = wire.Finding("k", "info", "raised", "t", "r", "j", "h", 1, 0, 0, 0, "m")
    whole = {
        "hello": msgspec.to_builtins(wire.Hello("r1", "toy", "here", 1, 0.0)) | hello,
        "findings": [msgspec.to_builtins(finding) | fields for fields in findings],
        "bye": None if at is None else {"type": "bye", "at": at},
    }
    try:
        one = remains.parse(msgspec.json.encode(whole))
    except UnicodeEncodeError:
        return
    if one is not None:
        lines = [*report.told(one, ()).splitlines(), *report.row(one, ())]
        assert all(line.isprintable() for line in lines)


@MANY
@given(
    st.lists(st.binary(max_size=100) | st.sampled_from([b"gradwatch-end\n", b"gradwatch-job\t"]))
)
def test_what_a_host_prints_is_a_listing_or_noise(lines):
    readers.listing(b"".join(lines))


@MANY
@given(st.text() | st.text().map(lambda text: f"ssh://{text}") | st.text().map("tcp://{}".format))
def test_a_target_is_understood_or_refused_and_never_an_option_of_ssh(word):
    readers.target(word.encode("utf-8", "surrogateescape"))


def test_whatever_the_hunt_has_kept_is_read():
    assert len(KEPT) > 100
    for one in KEPT:
        readers.read(one.read_bytes())


@pytest.mark.parametrize("size", [10_000, 1_000_000])
def test_deep_nesting_is_refused(size, tmp_path: Path):
    with pytest.raises(wire.Undecodable):
        wire.decode_frame(b"\x91" * size)
    assert runfile.parse(b"[" * size, "r1") is None
