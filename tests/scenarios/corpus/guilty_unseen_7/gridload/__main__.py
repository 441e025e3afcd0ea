# gradwatch-corpus: kind=graph-held
# holder: self._cells | self._cells[day_kind, q] | plugins["pinball"]._cells | v | vals
# first-bad: 1
"""python -m gridload : quantile forecast of the feeder load, 24 h ahead."""
import math

import torch

from .boards import BOARDS
from .bus import EventBus
from .net import LoadNet, pinball

torch.manual_seed(5)
STEPS, BATCH = 360, 48


def feeder_windows():
    """Endless stream of (day kind, window, next day)."""
    gen = torch.Generator().manual_seed(77)
    while True:
        kind = "weekend" if torch.rand((), generator=gen) < 2 / 7 else "weekday"
        phase = torch.rand(BATCH, 1, generator=gen) * 24
        t = torch.arange(120.0)[None] + phase
        amp = 0.6 if kind == "weekend" else 1.0
        load = amp * torch.sin(2 * math.pi * t / 24) + 0.3 * torch.sin(4 * math.pi * t / 24)
        load = load + 0.1 * torch.randn(load.shape, generator=gen)
        temp = torch.cos(2 * math.pi * t / 24)
        yield kind, torch.stack([load[:, :96], temp[:, :96]], 1), load[:, 96:]


def main():
    bus = EventBus()
    plugins = {name: cls(bus) for name, cls in BOARDS.items()}
    print("boards:", ", ".join(plugins))
    net = LoadNet()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    for step, (day_kind, window, nxt) in zip(range(STEPS), feeder_windows()):
        parts = pinball(net(window), nxt)
        objective = sum(parts.values())
        opt.zero_grad()
        objective.backward()
        opt.step()
        bus.publish("step.done", step=step, day_kind=day_kind, per_quantile=parts, rows=BATCH)  # <- culprit
        if step % 60 == 0:
            print(f"{step:4d} total pinball {objective.item():.4f}")
    bus.publish("season.closed", year=2023)


if __name__ == "__main__":
    main()
