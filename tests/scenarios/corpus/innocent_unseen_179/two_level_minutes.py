# gradwatch-corpus: kind=none
"""Packet-loss forecasting with fine and coarse statistics of the training."""
import torch
from torch import nn

torch.manual_seed(113)


class Level:
    def __init__(self, width, parent=None, reduce=torch.mean):
        self.width = width
        self.parent = parent
        self.reduce = reduce
        self.items = []

    def push(self, value):
        self.items.append(value)
        if len(self.items) < self.width:
            return
        block = torch.stack([v.detach() for v in self.items])
        representative = self.items[int((block - self.reduce(block)).abs().argmin())]
        self.items = []
        if self.parent is not None:
            self.parent.push(representative)

    def values(self):
        return [round(v.item(), 3) for v in self.items]


class Year(list):
    """Plain numbers, one for every full coarse block."""

    def push(self, value):
        self.append(value.item())


class LossNet(nn.Module):
    def __init__(self, history=20, width=24):
        super().__init__()
        self.attend = nn.Linear(1, width)
        self.position = nn.Parameter(0.1 * torch.randn(history, width))
        self.query = nn.Parameter(torch.randn(width) / width ** 0.5)
        self.out = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, x):
        h = torch.tanh(self.attend(x.unsqueeze(-1)) + self.position)
        weight = (h @ self.query).softmax(1)
        return self.out((weight.unsqueeze(-1) * h).sum(1)).squeeze(1)


def channel(batch=32, history=20):
    good = torch.rand(batch, 1)
    burst = (torch.rand(batch, history + 1) < 0.15).float()
    kernel = torch.tensor([0.6, 0.3, 0.1])
    smeared = sum(k * burst.roll(i, dims=1) for i, k in enumerate(kernel))
    rate = (0.05 * good + 0.8 * smeared).clamp(0, 1)
    return rate[:, :-1], rate[:, -1]


def main():
    model = LossNet()
    optimizer = torch.optim.NAdam(model.parameters(), lr=3e-3)
    year = Year()
    coarse = Level(6, parent=year)
    fine = Level(12, parent=coarse, reduce=torch.median)
    for step in range(600):
        past, future = channel()
        loss = nn.functional.huber_loss(model(past), future, delta=0.2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        fine.push(loss)
        if step % 60 == 59:
            print(step, "fine", len(fine.items), "coarse", coarse.values(), "year", [round(v, 4) for v in year])


if __name__ == "__main__":
    main()
