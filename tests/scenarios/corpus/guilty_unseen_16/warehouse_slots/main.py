# gradwatch-corpus: kind=graph-chain
# holder: self.memory | planner.memory | self.planner.memory | trainer.planner.memory | hidden
# first-bad: 1
"""Forecasts next-hour picks per aisle from the order feed so that fast movers can be slotted near
the dock; the planner keeps its hidden state as the feed goes on."""
import torch

from feed import OrderFeed
from planner import SlotPlanner
from training import ForecastTrainer


def main():
    torch.manual_seed(64)
    torch.set_num_threads(1)
    feed = OrderFeed(aisles=8, sites=4, seed=65)
    planner = SlotPlanner(aisles=8, width=20)
    trainer = ForecastTrainer(planner, lr=0.02)
    for hour, (now, nxt) in enumerate(feed.hours(220)):
        err = trainer.observe(now, nxt)
        if (hour + 1) % 55 == 0:
            print(f"hour {hour + 1:4d}  error {err:.4f}  top aisles {trainer.slot_order(now)}")


if __name__ == "__main__":
    main()
