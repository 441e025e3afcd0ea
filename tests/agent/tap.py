"""Runs a script with the agent in it, and writes down in order what the agent says.

    python tap.py OUT.jsonl SCRIPT [ARGS...]

One line for each message, written where and when a hook posts it; and one line,
{"type": "engine"}, whenever torch's own engine is about to start.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import torch

from gradwatch_agent import session, wire
from gradwatch_agent.link.publisher import Publisher


class Engine(msgspec.Struct, tag="engine"):
    """Torch's engine starts."""


def main() -> None:
    out, script, *arguments = sys.argv[1:]
    encoder = msgspec.json.Encoder()
    lines = Path(out).open("wb", buffering=0)  # noqa: SIM115  - open to the very end

    def write(message: wire.Message | Engine) -> None:
        lines.write(encoder.encode(message) + b"\n")

    class Tapped(Publisher):
        """A publisher that is overheard; its last beat, with what is off, comes before its end."""

        def __init__(self, *, beat: Callable[[int, int, int], wire.Beat], **others) -> None:
            super().__init__(beat=beat, **others)
            self._last_beat = beat

        def post(self, message: wire.Message) -> None:
            write(message)
            super().post(message)

        def stop(self, bye: wire.Bye, *args, **kwargs) -> None:
            write(self._last_beat(0, 0, 0))
            write(bye)
            super().stop(bye, *args, **kwargs)

    engine = torch.autograd._engine_run_backward

    def started(*args, **kwargs):
        write(Engine())
        return engine(*args, **kwargs)

    torch.autograd._engine_run_backward = started  # beneath the agent's own patch
    session.Publisher = Tapped
    sys.argv = [script, *arguments]
    sys.path[0] = str(Path(script).parent)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
