"""Many viewers in one process: says when all have joined, and when all have seen as much."""

from __future__ import annotations

import sys
import threading
from collections import Counter

from gradwatch.model import Event, Link
from gradwatch.sources.live import Live
from gradwatch_agent import wire


def main(size: int) -> None:
    changed, joined, seen = threading.Condition(), set(), Counter()

    def viewer(number: int) -> Live:
        def deliver(key: str, event: Event) -> None:
            with changed:
                if isinstance(event, Link) and event.up:
                    joined.add(number)
                elif isinstance(event, wire.Iteration):
                    seen[number] += event.count
                changed.notify_all()

        return Live(deliver)

    crowd = [viewer(number) for number in range(size)]
    for one in crowd:
        one.start()
    with changed:
        changed.wait_for(lambda: len(joined) == size, 60)
    print("joined", flush=True)
    upto = int(sys.stdin.readline())
    with changed:
        changed.wait_for(lambda: all(seen[number] == upto for number in range(size)), 60)
        print(f"all {sum(count == upto for count in seen.values())} saw {upto}", flush=True)
    for one in crowd:
        one.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]))
