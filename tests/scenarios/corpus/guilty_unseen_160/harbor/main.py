# gradwatch-corpus: kind=graph-held
# holder: self._later | outbox._later | self.outbox._later | trainer.outbox._later
# first-bad: 1
# notice: 8
"""Arrival-time regression for a harbour; notifications are sent by an outbox."""
import torch
from torch import nn

from outbox import Outbox
from voyage import voyages

torch.manual_seed(3)
torch.set_num_threads(1)


class ArrivalNet(nn.Module):
    def __init__(self, feats=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(feats, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh())
        self.mean = nn.Linear(64, 1)
        self.spread = nn.Linear(64, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h).squeeze(1), nn.functional.softplus(self.spread(h)).squeeze(1) + 1e-2


class Trainer:
    def __init__(self, steps=140):
        self.steps = steps
        self.net = ArrivalNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.outbox = Outbox(min_level=2)
        self.sent = []

    def notify(self, step, spread):
        self.sent.append((step, spread.mean().item()))

    def step(self, i, x, hours):
        mean, spread = self.net(x)
        loss = (torch.log(spread) + (hours - mean).abs() / spread).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        level = 2 if loss.item() > 3.5 else 1
        self.outbox.post(level, self.notify, i, spread)  # <- culprit
        return loss.item()

    def run(self):
        for i, (x, hours) in enumerate(voyages(self.steps)):
            value = self.step(i, x, hours)
            self.outbox.deliver()
            if i % 35 == 0:
                print(f"{i:4d} nll {value:.4f}")
        print("sent", len(self.sent))


if __name__ == "__main__":
    trainer = Trainer()
    trainer.run()
