"""An app on a stage: a fake source, a clock that stands still, and what the screen says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from gradwatch.model import Event
from gradwatch.tui import shot
from gradwatch.tui.app import GradwatchApp
from gradwatch.tui.output import Output

from .histories import START, FakeSource

SMALL, MIDDLE, LARGE = (80, 24), (120, 35), (200, 50)


@dataclass
class Stage:
    app: GradwatchApp
    source: FakeSource
    pilot: Pilot[int]
    clock: list[float]

    @property
    def text(self) -> str:
        return shot.text(self.app)

    async def wait(self, seconds: float) -> None:
        """Lets time pass, and the app notice it."""
        self.clock[0] += seconds
        self.app.tick()
        await self.pilot.pause()

    async def feed(self, events: Iterable[tuple[str, Event]]) -> None:
        """Events arrive, and a second passes."""
        self.source.feed(events)
        await self.wait(1.0)

    async def resize(self, width: int, height: int) -> None:
        """The terminal has another size from now on."""
        await self.pilot.resize_terminal(width, height)
        await self.pilot.pause()
        await self.wait(0.3)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()
        await self.pilot.pause()  # what the first one laid out may have moved something


@asynccontextmanager
async def staged(
    events: Iterable[tuple[str, Event]] = (),
    size: tuple[int, int] = MIDDLE,
    save_to: Path | None = None,
    settings: Path | None = None,
    output: Output | None = None,
    waits_at: tuple[str, ...] = (),
    *,
    toasts: bool = False,
) -> AsyncIterator[Stage]:
    """The app running on this past; the clock stands shortly after its end."""
    past = list(events)
    times = [at for _, event in past if START <= (at := getattr(event, "at", START)) < 2 * START]
    clock = [max(times, default=START) + 0.4]
    source = FakeSource(past)
    app = GradwatchApp(
        source,
        clock=lambda: clock[0],
        save_to=save_to,
        settings=settings,
        output=output,
        waits_at=waits_at,
    )
    async with app.run_test(size=size, notifications=toasts) as pilot:
        stage = Stage(app, source, pilot, clock)
        await stage.wait(0.0)
        yield stage
