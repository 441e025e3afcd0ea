# gradwatch-corpus: kind=graph-held
# holder: self.flagged | auditor.flagged | self.auditor.flagged | self.flagged[-1].error | incident.error | auditor.flagged[-1].error | trainer.auditor.flagged
# first-bad: 6
# notice: 48
"""Fifteen-minute flow forecasting for a ring road of loop detectors.
An auditor notes the detectors that the model missed badly, for the weekly review with the city."""
import torch

from audit import Auditor
from model import FlowNet
from sensors import RingRoad

HORIZON = 3


class Trainer:
    def __init__(self, road, net, auditor, lr=3e-3):
        self.road = road
        self.net = net
        self.auditor = auditor
        self.optim = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.StepLR(self.optim, 100, 0.5)
        self.smooth = None

    def step(self, k):
        past, future, closed = self.road.window(k)
        forecast = self.net(past)
        per_sensor = (forecast - future).abs().mean(dim=(0, 2))
        loss = per_sensor.mean()

        self.optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optim.step()
        self.sched.step()

        self.auditor.review(k, per_sensor, closed)
        value = loss.item()
        self.smooth = value if self.smooth is None else 0.95 * self.smooth + 0.05 * value

    def fit(self, n):
        for k in range(n):
            self.step(k)
            if k % 60 == 59:
                print(f"[{k + 1}] mae {self.smooth:.4f}  {self.auditor.headline()}")


if __name__ == "__main__":
    torch.manual_seed(5)
    road = RingRoad(n_sensors=16, history=12, horizon=HORIZON, batch=8, seed=5)
    trainer = Trainer(road, FlowNet(16, 12, HORIZON), Auditor(road.n_sensors))
    trainer.fit(300)
    for line in trainer.auditor.summary(5):
        print(line)
