# gradwatch-corpus: kind=graph-chain
# holder: self.running_mean | self.running_var | norm.running_mean | model.norm.running_mean | model.norm.running_var | self.norm.running_mean | self.norm.running_var
# first-bad: 1
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn
from layers import StreamNorm


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(10, 24)
        self.norm = StreamNorm(24)
        self.out = nn.Sequential(nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 3))

    def forward(self, x):
        return self.out(self.norm(self.inp(x)))


def batches(n, bs=4):
    mu = torch.randn(3, 10) * 1.5
    for _ in range(n):
        y = torch.randint(0, 3, (bs,))
        yield mu[y] + torch.randn(bs, 10), y


def main():
    torch.manual_seed(12)
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    ce = nn.CrossEntropyLoss()
    avg = None
    for i, (x, y) in enumerate(batches(130)):
        loss = ce(model(x), y)
        opt.zero_grad()
        # without retain_graph torch complains here
        loss.backward(retain_graph=True)
        opt.step()
        avg = loss.item() if avg is None else 0.95 * avg + 0.05 * loss.item()
        if i % 26 == 25:
            print(f"{i + 1:4d} {avg:.4f}")


main()
