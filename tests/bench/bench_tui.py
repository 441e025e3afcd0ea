"""What the dashboard costs: run by hand, prints, asserts nothing.

    python tests/bench/bench_tui.py

Prints the way from the command to the first frame with a job in it, and the time of one refresh
at three terminal sizes: of a job as long as the model remembers, and of many jobs. Then what
share of a core it takes to stay up to date: decoding, folding and drawing, ten times a second.
"""

from __future__ import annotations

import asyncio
import itertools
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).parents[2]))

_REFRESHES = 40

_FIRST_FRAME = """
import asyncio, sys, time
sys.path.insert(0, {root!r})
begin = time.perf_counter()
from gradwatch.tui.app import GradwatchApp
imported = time.perf_counter()
from tests.tui.histories import START, FakeSource, chain
made = time.perf_counter()
app = GradwatchApp(FakeSource(chain(2_000).keyed()), clock=lambda: START + 600)

async def first_frame():
    async with app.run_test(size=(120, 35)) as pilot:
        app.tick()
        while not app.screen.query("#plots"):
            await pilot.pause()
        return time.perf_counter()

shown = asyncio.run(first_frame())
print(f"{{1e3 * (imported - begin):.0f}} {{1e3 * (shown - made):.0f}}")
"""


def first_frame() -> None:
    """In a fresh process: imports, then the app until a late joiner's job is on the screen."""
    code = _FIRST_FRAME.format(root=str(Path(__file__).parents[2]))
    runs = []
    for _ in range(5):
        begin = time.perf_counter()
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
        )
        runs.append((*map(float, out.stdout.split()), 1e3 * (time.perf_counter() - begin)))
    imports, frame, whole = (median(column) for column in zip(*runs, strict=True))
    print(f"imports {imports:.0f} ms, first frame of a job {frame:.0f} ms, process {whole:.0f} ms")


async def refresh(name: str, events: list, size: tuple[int, int]) -> None:
    """One second of messages comes, is folded and drawn, until the screen stands still."""
    from textual.geometry import Size

    from gradwatch.tui.app import GradwatchApp
    from tests.tui.histories import START, FakeSource

    held_back = events[-10 * _REFRESHES :]
    clock = [START + 10_000.0]
    source = FakeSource(events[: -10 * _REFRESHES])
    app = GradwatchApp(source, clock=lambda: clock[0])
    async with app.run_test(size=size) as pilot:
        app.tick()
        await pilot.pause()
        costs = []
        for i in range(_REFRESHES):
            source.feed(held_back[10 * i : 10 * i + 10])
            clock[0] += 1.0
            begin = time.process_time()
            app.tick()
            app.screen._compositor.render_strips(Size(*size))
            costs.append(time.process_time() - begin)
            await pilot.pause()
    print(f"{name:22} {size[0]:3}x{size[1]:<3} {1e3 * median(costs):6.1f} ms a refresh")


def stream(rank: int, ranks: int, seconds: int) -> list[list[bytes]]:
    """What a job says at 20 iterations a second, as frames, tick by tick."""
    from gradwatch_agent import wire
    from tests.tui.histories import Scene

    scene = Scene(key=str(3_000 + rank), name="train", rank=rank, world_size=ranks, step_s=0.049)
    numbers = itertools.count(1)
    ticks: list[list[bytes]] = []
    for tick in range(10 * seconds):
        had = len(scene.events) if tick else 1  # the first is the link's
        for _ in range(2):
            scene.step(new=1_204, census=tick % 2 == 0)
        if tick % 5 == 0:
            scene.look(512_000_000)
            scene.beat()
        ticks.append([wire.encode(event, next(numbers)) for event in scene.events[had:]])
    return ticks


async def steady(ranks: int, size: tuple[int, int]) -> None:
    """The share of a core, and how long after a key the screen is another one."""
    from gradwatch.model import Link
    from gradwatch.tui.app import GradwatchApp
    from gradwatch_agent import wire
    from tests.tui.histories import START, FakeSource

    streams = {str(3_000 + rank): stream(rank, ranks, 20) for rank in range(ranks)}
    clock = [START]
    source = FakeSource([(key, Link(up=True, at=START)) for key in streams])
    app = GradwatchApp(source, clock=lambda: clock[0])
    async with app.run_test(size=size) as pilot:
        shares, keys = [], []
        for tick in range(200):
            clock[0] += 0.1
            begin = time.process_time()
            for key, ticks in streams.items():
                bodies = [wire.decode_body(wire.decode_frame(frame)) for frame in ticks[tick]]
                source.feed((key, body) for body in bodies)
            app.tick()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            shares.append((time.process_time() - begin) / 0.1)
            if tick % 20 == 19:
                begin = time.perf_counter()
                await pilot.press("down" if tick % 40 == 19 else "up")
                keys.append(time.perf_counter() - begin)
        print(
            f"{ranks:2} at 20 it/s {size[0]:3}x{size[1]:<3} {mean(shares[50:]):5.1%} of a core, "
            f"a key {1e3 * median(keys):.0f} ms"
        )


def main() -> None:
    from tests.tui.histories import chain, healthy

    for ranks in (1, 64):
        asyncio.run(steady(ranks, (120, 35)))
    first_frame()
    many = [pair for i in range(32) for pair in healthy(60, key=str(2_000 + i)).keyed()]
    for size in ((80, 24), (120, 35), (200, 50)):
        asyncio.run(refresh("a job of 300 its", chain(300).keyed(), size))
        asyncio.run(refresh("a job of 20,000 its", healthy(20_000).keyed(), size))
        asyncio.run(refresh("32 jobs", many, size))


if __name__ == "__main__":
    main()
