"""What the dashboard costs: run by hand, prints, asserts nothing.

    python tests/bench/bench_tui.py

Prints the way from the command to the first frame with a job in it, and the time of one refresh
at three terminal sizes: of a job as long as the model remembers, and of many jobs. Then what
share of a core it takes to stay up to date: decoding, folding and drawing, ten times a second; and
the same on a real training job, in a real terminal. With a real job behind a real socket: how long
until the first frame after the command, how long from the end of an iteration until the curves end
there; and whether an hour's worth of records makes the process grow.
"""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import pty
import random
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import mean, median

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.link.conftest import JobProcess

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
    """The share of a core."""
    from gradwatch.model import Link
    from gradwatch.tui.app import GradwatchApp
    from gradwatch_agent import wire
    from tests.tui.histories import START, FakeSource

    streams = {str(3_000 + rank): stream(rank, ranks, 20) for rank in range(ranks)}
    clock = [START]
    source = FakeSource([(key, Link(up=True, at=START)) for key in streams])
    app = GradwatchApp(source, clock=lambda: clock[0])
    async with app.run_test(size=size):
        shares = []
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
        print(f"{ranks:2} at 20 it/s {size[0]:3}x{size[1]:<3} {mean(shares[50:]):5.1%} of a core")


@contextmanager
def real_job() -> Iterator[JobProcess]:
    """A publisher in a process of its own, found as any job is."""
    with tempfile.TemporaryDirectory(prefix="gw") as folder:
        os.environ["GRADWATCH_RUN_DIR"] = f"{folder}/run"
        os.environ["XDG_CONFIG_HOME"] = f"{folder}/config"
        job = JobProcess("r1", "toy")
        job.tell("post 100")
        yield job
        job.clear()


def command() -> None:
    """From typing `gradwatch` in a terminal until the job's name stands there."""
    with real_job():
        waits = [seconds_to("toy") for _ in range(5)]
    print(f"gradwatch, command to a frame with the job {median(waits):.2f} s ({words(waits)})")


def seconds_to(name: str) -> float:
    begin = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-m", "gradwatch"])
    seen = b""
    while name.encode() not in seen:
        seen += os.read(terminal, 65_536)
    took = time.perf_counter() - begin
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(terminal)
    return took


async def to_its_pixel() -> None:
    """The end of an iteration in the job, until the x axis of the curves ends with it."""
    from gradwatch.sources.live import Live
    from gradwatch.tui import shot
    from gradwatch.tui.app import GradwatchApp

    with real_job() as job:
        app = GradwatchApp(Live)
        waits = []

        async def shown(number: int) -> None:
            while f"iteration {number}" not in shot.text(app):
                await asyncio.sleep(0.002)

        async with app.run_test(size=(120, 35)):
            await shown(99)
            for number in range(100, 131):
                await asyncio.sleep(random.random() / 2)  # at any phase of the dashboard's ticks
                begin = time.perf_counter()
                job.tell("post 1")
                await shown(number)
                waits.append(time.perf_counter() - begin)
    print(f"iteration's end to its pixel: median {1e3 * median(waits):.0f} ms ({words(waits)})")


def words(waits: list[float]) -> str:
    return f"{1e3 * min(waits):.0f} to {1e3 * max(waits):.0f} ms of {len(waits)}"


_TRAINING = """
import time, torch
from torch import nn
import gradwatch_agent.auto
torch.set_num_threads(1)
model = nn.Sequential(*(nn.Linear(64, 64) for _ in range(12)), nn.Linear(64, 1))
optimizer = torch.optim.SGD(model.parameters(), 1e-3)
due = time.perf_counter()
while True:
    optimizer.zero_grad()
    model(torch.randn(32, 64)).pow(2).mean().backward()
    optimizer.step()
    due += 0.05
    time.sleep(max(0.0, due - time.perf_counter()))
"""


def in_a_terminal(size: tuple[int, int], seconds: float = 30.0) -> None:
    """What a dashboard takes on a real training job of 20 iterations/s, terminal and all."""
    with tempfile.TemporaryDirectory(prefix="gw") as folder:
        os.environ["GRADWATCH_RUN_DIR"] = f"{folder}/run"
        os.environ["XDG_CONFIG_HOME"] = f"{folder}/config"
        job = subprocess.Popen([sys.executable, "-c", _TRAINING])
        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *reversed(size), 0, 0))
            os.execv(sys.executable, [sys.executable, "-m", "gradwatch"])
        Reader(terminal)
        time.sleep(15)
        shares, dashboard = [], psutil.Process(pid)
        for _ in range(3):
            before = sum(dashboard.cpu_times()[:2])
            time.sleep(seconds / 3)
            shares.append((sum(dashboard.cpu_times()[:2]) - before) / (seconds / 3))
        print(
            f"a real job, a real terminal {size[0]}x{size[1]}: {mean(shares):.1%} of a core "
            f"({min(shares):.1%} to {max(shares):.1%})"
        )
        job.kill()
        job.wait()
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def keys() -> None:
    """From a key typed in a terminal until its effect is drawn, with 64 live ranks on screen."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        live_ranks(64)
        os._exit(0)
    drawn = Reader(terminal)
    drawn.until(b"64 processes")
    os.write(terminal, b"\r")  # the ranks are hidden until they are asked for
    drawn.until(b"rank 20")
    for key, effect, back in ((b"G", b"rank 63", b"g"), (b"?", b"freeze the display", b"h")):
        waits = []
        for _ in range(20):
            time.sleep(0.5 + random.random() / 2)
            drawn.forget()
            begin = time.perf_counter()
            os.write(terminal, key)
            drawn.until(effect)
            waits.append(time.perf_counter() - begin)
            os.write(terminal, back)
        name = f"64 ranks, key {key.decode()} to `{effect.decode()}`"
        print(f"{name}: median {1e3 * median(waits):.0f} ms ({words(waits)})")
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


class Reader:
    """Reads what is drawn in a terminal as it comes, as terminals do: a dashboard whose output
    nobody reads has to wait.
    """

    def __init__(self, terminal: int) -> None:
        self._terminal = terminal
        self._seen = b""
        self._more = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError):  # the other side is gone
            while drawn := os.read(self._terminal, 65_536):
                with self._more:
                    self._seen += drawn
                    self._more.notify()

    def forget(self) -> None:
        """What was drawn before is no answer."""
        with self._more:
            self._seen = b""

    def until(self, words: bytes) -> None:
        with self._more:
            self._more.wait_for(lambda: words in self._seen)


def live_ranks(ranks: int) -> None:
    """The dashboard on so many ranks, each at 20 iterations/s; until it is killed."""
    from gradwatch.model import Link
    from gradwatch.tui.app import GradwatchApp
    from gradwatch_agent import wire
    from tests.tui.histories import START, FakeSource

    streams = {str(3_000 + rank): stream(rank, ranks, 60) for rank in range(ranks)}
    source = FakeSource([(key, Link(up=True, at=START)) for key in streams])

    def feed() -> None:
        for tick in range(600):
            time.sleep(0.1)
            for key, frames in streams.items():
                bodies = [wire.decode_body(wire.decode_frame(frame)) for frame in frames[tick]]
                source.feed((key, body) for body in bodies)

    threading.Thread(target=feed, daemon=True).start()
    GradwatchApp(source).run()


async def an_hour() -> None:
    """What one job says in an hour at 20 iterations/s, as fast as it can be taken in."""
    from gradwatch.model import Link
    from gradwatch.tui.app import GradwatchApp
    from gradwatch_agent import wire
    from tests.tui.histories import START, FakeSource, Scene

    scene = Scene(key="1", name="train", step_s=0.049)
    clock = [START]
    source = FakeSource([("1", Link(up=True, at=START))])
    app = GradwatchApp(source, clock=lambda: clock[0])
    numbers, process, sizes = itertools.count(1), psutil.Process(), []
    async with app.run_test(size=(120, 35)) as pilot:
        for second in range(3_600):
            scene.events.clear()
            for _ in range(20):
                scene.step(new=1_204, census=second % 5 == 0)
            scene.look(512_000_000)
            scene.beat()
            frames = [wire.encode(event, next(numbers)) for event in scene.events]
            source.feed(("1", wire.decode_body(wire.decode_frame(frame))) for frame in frames)
            clock[0] += 1.0
            app.tick()
            await asyncio.sleep(0)
            if second % 600 == 599:
                await pilot.pause()
                sizes.append(process.memory_info().rss / 1e6)
    print(
        "resident after each ten minutes of an hour: " + ", ".join(f"{s:.0f}" for s in sizes), "MB"
    )


def main() -> None:
    from tests.tui.histories import chain, healthy

    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    command()
    in_a_terminal((120, 35))
    keys()
    asyncio.run(to_its_pixel())
    asyncio.run(an_hour())
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
