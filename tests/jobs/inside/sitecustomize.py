"""Stands on PYTHONPATH of a tested job: writes down what agent and probe say in each process.

A file for each process in $JOB_LINES, named by its pid. Must not import torch, nor start the
agent: that is the job's own line.
"""

import os
import sys
from pathlib import Path


def _listen() -> None:
    import msgspec

    from gradwatch_agent import session
    from gradwatch_agent.link.publisher import Publisher

    sys.path.insert(0, os.environ["JOB_TESTS"])
    import probe

    encoder = msgspec.json.Encoder()

    def write(line: probe.Line) -> None:
        path = Path(os.environ["JOB_LINES"], f"{os.getpid()}.jsonl")
        with path.open("ab", buffering=0) as lines:
            lines.write(encoder.encode(line) + b"\n")

    class Tapped(Publisher):
        """A publisher that is overheard."""

        def __init__(self, *, hello, **others) -> None:
            super().__init__(hello=hello, **others)
            write(probe.line(hello))

        def post(self, message) -> None:
            write(probe.line(message))
            super().post(message)

        def stop(self, bye, *args, **kwargs) -> None:
            write(probe.line(bye))
            super().stop(bye, *args, **kwargs)

    probe.install(write)
    session.Publisher = Tapped


if "JOB_LINES" in os.environ:
    from gradwatch_agent.arming import when_torch_is_imported

    when_torch_is_imported(_listen)
