# gradwatch-corpus: kind=graph-chain
# holder: self.reach | layer.reach | net.first.reach | net.second.reach | observer.reach | self.observer.reach | net.second.observer.reach | net.first.observer.reach
# first-bad: 1
"""Quantization-aware training of a tiny keyword spotter (8 bit weights, learned ranges)."""
import torch

from .nets import Spotter
from .sound import spoken


def train(steps=240):
    torch.manual_seed(2)
    net = Spotter(bands=20, words=6)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    hits, seen = 0, 0
    for n in range(steps):
        x, y = spoken(n)
        net.tick(n)
        out = net(x)
        ce = torch.nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        ce.backward()
        opt.step()
        hits += (out.argmax(1) == y).sum().item()
        seen += len(y)
        if n % 60 == 59:
            print(f"step {n + 1}  ce {ce.item():.3f}  running accuracy {hits / seen:.3f}  ranges {net.ranges()}")
            hits = seen = 0


if __name__ == "__main__":
    train()
