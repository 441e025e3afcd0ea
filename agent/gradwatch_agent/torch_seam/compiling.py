"""Whether torch.compile is at work in this process."""

from __future__ import annotations

import sys


def compiles() -> bool:
    """Whether this process compiles something with torch.compile, or is about to."""
    backends = getattr(sys.modules.get("torch._dynamo.eval_frame"), "cached_backends", None) or {}
    counters = getattr(sys.modules.get("torch._dynamo.utils"), "counters", None) or {}
    return any(each is not None for each in backends.values()) or bool(counters.get("frames"))
