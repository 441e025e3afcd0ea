"""A viewer in a process of its own: says "up" when it has joined, then counts what it is told."""

from __future__ import annotations

import sys

from gradwatch.model import Event, Link
from gradwatch.sources.live import Live


def main() -> None:
    def deliver(key: str, event: Event) -> None:
        if isinstance(event, Link) and event.up:
            print("up", flush=True)

    source = Live(deliver)
    source.start()
    sys.stdin.read()
    source.stop()


if __name__ == "__main__":
    main()
