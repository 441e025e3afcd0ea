"""What the publisher costs the job it runs in. Run by hand: `python tests/bench/bench_link.py`.

Prints the cost of a post, the share of one core that the thread takes, and the memory of a full
journal. Not a test: times depend on the machine.
"""

from __future__ import annotations

import os
import tempfile
import time

import psutil

from gradwatch.sources.live import Live
from gradwatch_agent import wire
from gradwatch_agent.link.publisher import Publisher

POSTS = 4_000
"""Fewer than fit the inbox, so that none is dropped."""

WATCH_S = 5.0
PACE_S = 0.002
"""Between two iterations of the steady job: 500 a second."""


class Meter:
    """The CPU time of the publisher's own thread, read where it runs."""

    def __init__(self) -> None:
        self.thread_s = 0.0

    def heart(self, now: float) -> list[wire.Message]:
        self.thread_s = time.thread_time()
        return []

    def share(self, run_for_s: float, step: object = None) -> float:
        """Of one core, while `step` is called at its pace."""
        time.sleep(1)  # what was before is done, and the heart has read the clock after it
        cpu, wall = self.thread_s, time.perf_counter()
        while time.perf_counter() - wall < run_for_s:
            if callable(step):
                step()
                time.sleep(PACE_S)
            else:
                time.sleep(0.1)
        return (self.thread_s - cpu) / (time.perf_counter() - wall)


def iteration(number: int) -> wire.Iteration:
    return wire.Iteration(
        number=number,
        at=time.time(),
        duration_s=0.001,
        backward_s=0.0005,
        backwards=1,
        built=120,
        reached=140,
        stale=0,
        oldest=number,
        saved_bytes=123_456,
        storages=40,
    )


def post_us(publisher: Publisher) -> float:
    """Mean cost of a post, the best of several rounds."""
    messages = [iteration(number) for number in range(POSTS)]
    best = float("inf")
    for _ in range(7):
        publisher.flush(10)
        start = time.perf_counter()
        for message in messages:
            publisher.post(message)
        best = min(best, (time.perf_counter() - start) / POSTS)
    return best * 1e6


def rss_mb() -> float:
    return float(psutil.Process().memory_info().rss) / (1 << 20)


def main() -> None:
    meter = Meter()
    before = rss_mb()
    publisher = Publisher(
        hello=wire.Hello(run="bench", job="bench", host="here", pid=os.getpid(), started=0.0),
        heart=meter.heart,
        beat=lambda lost, rejected, viewers: wire.Beat(at=time.time(), viewers=viewers),
        log=None,
    )
    publisher.start()
    publisher.flush(10)
    print(f"memory of the start    {rss_mb() - before:8.2f} MB")
    print(f"thread, no viewer      {meter.share(WATCH_S):8.3%}")
    print(f"a post                 {post_us(publisher):8.2f} us")

    numbers = iter(range(10**9))
    share = meter.share(WATCH_S, lambda: publisher.post(iteration(next(numbers))))
    print(f"thread, ~480 it/s      {share:8.3%}")

    viewer = Live(lambda key, event: None)
    viewer.start()
    time.sleep(1)
    print(f"thread, one viewer     {meter.share(WATCH_S):8.3%}")
    share = meter.share(WATCH_S, lambda: publisher.post(iteration(next(numbers))))
    print(f"... and ~480 it/s      {share:8.3%}")
    viewer.stop()

    for number in range(20_000):
        publisher.post(iteration(number))
        publisher.post(wire.Backward(at=0.0, iteration=number, root="MeanBackward0", file="a.py"))
        publisher.post(wire.Memory(at=0.0, iteration=number, rss_bytes=1 << 30))
        if number % 20 == 0:
            publisher.flush(10)
    publisher.flush(10)
    print(f"memory, journal full   {rss_mb() - before:8.2f} MB")
    start = time.perf_counter()
    publisher.stop(wire.Bye(at=time.time()))
    print(f"a stop                 {(time.perf_counter() - start) * 1e3:8.2f} ms")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="gw") as base:
        os.environ["GRADWATCH_RUN_DIR"] = f"{base}/gradwatch"
        main()
