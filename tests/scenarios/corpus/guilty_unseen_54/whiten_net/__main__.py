# gradwatch-corpus: kind=inplace-modified
# first-bad: 4
"""Modulation classifier with running-statistics scaling layers:  python -m whiten_net"""
import torch
import torch.nn.functional as F

from .layers import RunningScale
from .signals import iq_bursts


class Net(torch.nn.Module):
    def __init__(self, n_in, n_out, width=40):
        super().__init__()
        self.a = torch.nn.Linear(n_in, width)
        self.w1 = RunningScale(width, every=5)
        self.b = torch.nn.Linear(width, width)
        self.w2 = RunningScale(width, every=5)
        self.c = torch.nn.Linear(width, n_out)

    def forward(self, x):
        x = F.relu(self.w1(self.a(x)))
        x = F.relu(self.w2(self.b(x)))
        return self.c(x)


def accuracy(net, x, y):
    net.eval()
    with torch.no_grad():
        hit = (net(x).argmax(-1) == y).float().mean().item()
    net.train()
    return hit


def main():
    torch.manual_seed(30)
    x, y = iq_bursts(900)
    xv, yv = iq_bursts(200)
    net = Net(x.shape[1], 3)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(200):
        sel = torch.randint(0, len(x), (64,))
        loss = F.cross_entropy(net(x[sel]), y[sel])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            print(f"step {step} loss {loss.item():.3f} val acc {accuracy(net, xv, yv):.2f}")


main()
