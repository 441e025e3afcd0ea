# gradwatch-corpus: kind=graph-chain
# holder: self.slow | twin.slow | self.slow[name] | twin.slow[name] | self.slow[n]
# first-bad: 1
"""Semi-supervised phase recognition: cross entropy on few labels, agreement with the slow twin on the rest."""
import math

import torch
import torch.nn.functional as F

from .echo import Rows, ViewNet
from .teacher import SlowTwin


def ramp(step, length=120, top=4.0):
    x = min(1.0, step / length)
    return top * math.exp(-5 * (1 - x) ** 2)


def accuracy(net, rows):
    with torch.no_grad():
        x, y = rows.labelled(256)
        return (net(x).argmax(1) == y).float().mean().item()


def train(steps=300):
    torch.manual_seed(44)
    net = ViewNet()
    twin = SlowTwin(net)
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    rows, held = Rows(1), Rows(2)
    for step in range(steps):
        x, y = rows.labelled(8)
        u = rows.bare(24)
        sup = F.cross_entropy(net(x), y)
        guide = twin(rows.jitter(u, 0.2)).softmax(1)
        agree = F.mse_loss(net(rows.jitter(u, 0.6)).softmax(1), guide)
        total = sup + ramp(step) * agree
        opt.zero_grad()
        total.backward()
        opt.step()
        twin.follow()
        if step % 60 == 59:
            with twin.swapped_in() as slow_net:
                slow_acc = accuracy(slow_net, held)
            print(f"{step + 1:4d} sup {sup.item():.3f} agree {agree.item():.4f} acc {accuracy(net, held):.3f} slow {slow_acc:.3f}")


if __name__ == "__main__":
    train()
