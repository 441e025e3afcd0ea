import torch
from torch import nn

from broker import Scored


class Station:
    def __init__(self, broker):
        self.net = nn.Sequential(
            nn.Conv2d(1, 6, 3, stride=2), nn.ReLU(), nn.Conv2d(6, 6, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(24, 2)
        )
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.mean = 0.7
        self.broker = broker
        broker.subscribe(self.on_scored)
        broker.subscribe(self.on_stats)

    def inspect(self, board):
        flawed = torch.randint(2, (6,))
        img = 0.3 * torch.rand(6, 1, 12, 12)
        img[:, :, 4:7, 4:7] += flawed.view(-1, 1, 1, 1) * torch.rand(6, 1, 3, 3)
        loss = nn.functional.cross_entropy(self.net(img), flawed)
        self.broker.publish(Scored(board, loss))  # <- culprit

    def on_scored(self, evt):
        self.opt.zero_grad()
        evt.loss.backward()
        self.opt.step()

    def on_stats(self, evt):
        value = evt.loss.item()
        hard = evt.board >= 2 and value > 1.02 * self.mean
        self.mean = 0.9 * self.mean + 0.1 * value
        return not hard
