"""Every message between a training process and whoever watches it.

Owns the message types, their version, and how they are encoded, decoded and cleaned.
Must not know torch, zmq, clocks or files: the agent, the dashboard, the headless watcher,
the tests and a replay all share this one vocabulary.

On the wire a message travels inside a `Frame`: a version, a sequence number given by the
agent's journal, and the message itself as a tagged msgpack map. Fields are only ever added,
each with a default, so that an old frame decodes for ever and a new one does not hurt an
old reader.
"""

from __future__ import annotations

from gradwatch_agent.wire.cleaning import (
    MAX_TEXT,
    clean,
    cleaned,
)
from gradwatch_agent.wire.frames import (
    KEYFRAME,
    MAX_FRAME_BYTES,
    REPLAY,
    TOPIC,
    VERSION,
    Frame,
    NewerVersion,
    Undecodable,
    decode_body,
    decode_frame,
    decode_request,
    encode,
    encode_request,
)
from gradwatch_agent.wire.messages import (
    LEVELS,
    Backward,
    Beat,
    Bye,
    Call,
    DeviceMemory,
    Excerpt,
    Finding,
    Hello,
    Iteration,
    Level,
    Memory,
    Message,
    Replay,
    State,
    Step,
)

__all__ = [
    "KEYFRAME",
    "LEVELS",
    "MAX_FRAME_BYTES",
    "MAX_TEXT",
    "REPLAY",
    "TOPIC",
    "VERSION",
    "Backward",
    "Beat",
    "Bye",
    "Call",
    "DeviceMemory",
    "Excerpt",
    "Finding",
    "Frame",
    "Hello",
    "Iteration",
    "Level",
    "Memory",
    "Message",
    "NewerVersion",
    "Replay",
    "State",
    "Step",
    "Undecodable",
    "clean",
    "cleaned",
    "decode_body",
    "decode_frame",
    "decode_request",
    "encode",
    "encode_request",
]
