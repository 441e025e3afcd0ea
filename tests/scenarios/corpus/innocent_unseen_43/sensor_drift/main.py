# gradwatch-corpus: kind=none
import torch
from torch import nn

from engine import Engine
from watchers import BestKeeper, LossWindow, ActivationMeter


class DriftNet(nn.Module):
    def __init__(self, d=10, h=24):
        super().__init__()
        self.inp = nn.Linear(d, h)
        self.act = nn.GELU()
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        return self.out(self.act(self.inp(x))).squeeze(-1)


def stream(n, size, seed=6):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(10, generator=g)
    for k in range(n):
        x = torch.randn(size, 10, generator=g)
        drift = 0.3 * torch.sin(torch.tensor(k / 20.0))
        yield x, (x @ w).tanh() + drift


def main():
    torch.manual_seed(0)
    net = DriftNet()
    meter = ActivationMeter(momentum=0.9)
    net.act.register_forward_hook(meter)
    engine = Engine(net, lr=5e-3, watchers=[LossWindow(50), BestKeeper()])
    engine.run(stream(150, 32))
    print(f"final activation mean {meter.mean:.3f}")


if __name__ == "__main__":
    main()
