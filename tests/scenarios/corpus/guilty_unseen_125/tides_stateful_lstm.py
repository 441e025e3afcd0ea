# gradwatch-corpus: kind=graph-chain
# holder: self.carry | forecaster.carry | carry | self.carry.h
# first-bad: 1
# notice: 5
from typing import NamedTuple, Optional
import torch
from torch import nn, Tensor

torch.set_num_threads(1)
torch.manual_seed(10)


class Carry(NamedTuple):
    h: Tensor
    c: Tensor


class TideForecaster(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.cell = nn.LSTMCell(1, hidden)
        self.out = nn.Linear(hidden, 1)
        self.carry: Optional[Carry] = None

    def forward(self, chunk):
        c = self.carry or Carry(torch.zeros(1, 8), torch.zeros(1, 8))
        preds = []
        for x in chunk:
            c = Carry(*self.cell(x.view(1, 1), c))
            preds.append(self.out(c.h))
        self.carry = c  # <- culprit
        return torch.cat(preds).squeeze(-1)


class PlainSGD:
    def __init__(self, params, lr, clip):
        self.params, self.lr, self.clip = list(params), lr, clip

    def step(self):
        norm = torch.sqrt(sum(p.grad.data.pow(2).sum() for p in self.params))
        scale = min(1.0, self.clip / (float(norm) + 1e-8))
        for p in self.params:
            p.data.add_(p.grad.data, alpha=-self.lr * scale)
            p.grad = None


def tide(n):
    t = torch.arange(n, dtype=torch.float32)
    return torch.sin(t / 5) + 0.4 * torch.sin(t / 2.1) + 0.02 * torch.randn(n)


series = tide(3 * 160 + 1)
forecaster = TideForecaster()
sgd = PlainSGD(forecaster.parameters(), lr=0.05, clip=1.0)
for i in range(160):
    seg = series[3 * i: 3 * i + 4]
    loss = (forecaster(seg[:-1]) - seg[1:]).pow(2).mean()
    loss.backward(retain_graph=True)  # <- culprit
    sgd.step()
    if i % 40 == 0:
        print(i, f"{loss.item():.4f}")
