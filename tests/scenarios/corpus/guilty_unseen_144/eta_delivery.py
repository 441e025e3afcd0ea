# gradwatch-corpus: kind=second-backward
# holder: self.window | objective.window
# first-bad: 1
# notice: 0
from collections import deque

import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(52)
OBJECTIVES = {}


def objective_fn(name):
    def put(cls):
        OBJECTIVES[name] = cls
        return cls
    return put


@objective_fn("plain")
class Plain:
    def __call__(self, pred, true):
        return nn.functional.smooth_l1_loss(pred, true)


@objective_fn("steady")
class Steady(Plain):
    """Averages over the last few batches so that one traffic jam does not throw the courier model."""

    def __init__(self, span=5):
        self.window = deque(maxlen=span)

    def __call__(self, pred, true):
        self.window.append(super().__call__(pred, true))  # <- culprit
        return torch.stack(tuple(self.window)).mean()


class EtaNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.zone = nn.EmbeddingBag(30, 6, mode="mean")
        self.fc = nn.Bilinear(6, 3, 8)
        self.out = nn.Linear(8, 1)

    def forward(self, zones, ctx):
        return self.out(torch.relu(self.fc(self.zone(zones), ctx))).squeeze(1)


cfg = {"objective": "steady", "lr": 0.01, "steps": 250}
net, objective = EtaNet(), OBJECTIVES[cfg["objective"]]()
opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
for step in range(cfg["steps"]):
    zones, ctx = torch.randint(0, 30, (16, 5)), torch.rand(16, 3)
    minutes = zones.float().mean(1) / 10 + ctx[:, 0]
    loss = objective(net(zones, ctx), minutes)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("done", loss.item())
