# gradwatch-corpus: kind=graph-held
# holder: self.issued | dispatcher.issued | self.issued[-1] | dispatcher.issued[-1]
# first-bad: 1
"""Joint day-ahead load forecast for the substations of one distribution grid.

The zones answer asynchronously as their SCADA gateways do in production; one optimizer step is made per market interval.
"""
import asyncio

import torch

from dispatcher import Dispatcher
from feeds import ZoneFeed
from model import LoadForecaster

ZONES = ("north", "harbour", "old-town", "industrial")
INTERVALS = 220


async def zone_loss(model, feed):
    """Waits for the readings of a zone and scores the forecast on them."""
    window, calendar, target = await feed.next_window()
    quantiles = model(window, calendar)
    return model.pinball(quantiles, target) * feed.weight


async def interval(model, optim, feeds, dispatcher):
    losses = await dispatcher.fan_out(zone_loss(model, feed) for feed in feeds)
    loss = torch.stack(losses).sum() / sum(feed.weight for feed in feeds)
    optim.zero_grad()
    loss.backward()
    optim.step()
    return loss.item(), [v.item() for v in losses]


async def main():
    torch.manual_seed(41)
    torch.set_num_threads(1)
    model = LoadForecaster()
    optim = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    feeds = [ZoneFeed(name, seed=i, weight=1.0 + 0.5 * (name == "industrial")) for i, name in enumerate(ZONES)]
    dispatcher = Dispatcher(limit=3)
    smooth = None
    for k in range(INTERVALS):
        value, by_zone = await interval(model, optim, feeds, dispatcher)
        smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
        if (k + 1) % 55 == 0:
            rows = ", ".join(f"{z} {v:.3f}" for z, v in zip(ZONES, by_zone))
            print(f"interval {k + 1}: pinball {smooth:.4f} ({rows})")
    print(dispatcher.report())


if __name__ == "__main__":
    asyncio.run(main())
