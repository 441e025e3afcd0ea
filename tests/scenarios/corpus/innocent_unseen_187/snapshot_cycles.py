# gradwatch-corpus: kind=none
"""Snapshot ensembling on two-view spirals: each cosine cycle offers its best views."""
import bisect
import math

import torch
from torch import nn


class BestViews:
    def __init__(self, k):
        self.k = k
        self.keys = []
        self.views = []

    def offer(self, score, logits, step):
        at = bisect.bisect(self.keys, score)
        self.keys.insert(at, score)
        self.views.insert(at, (step, logits))
        del self.keys[self.k:]
        del self.views[self.k:]

    def consensus(self):
        probs = torch.stack([v.softmax(-1) for _, v in self.views])
        return probs.mean(0)

    def __len__(self):
        return len(self.views)


def spirals(n, gen):
    label = torch.randint(0, 3, (n,), generator=gen)
    r = torch.rand(n, generator=gen)
    theta = 4 * r + label * 2 * math.pi / 3 + 0.15 * torch.randn(n, generator=gen)
    return torch.stack([r * theta.cos(), r * theta.sin()], 1), label


def cycle_lr(step, period, top):
    return 0.5 * top * (1 + math.cos(math.pi * (step % period) / period))


def main():
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(33)
    net = nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
    probe, probe_y = spirals(40, gen)
    period, snapshots, votes = 50, [], torch.zeros(40, 3)
    for cycle in range(9):
        best = BestViews(k=4)
        for inner in range(period):
            step = cycle * period + inner
            for group in opt.param_groups:
                group["lr"] = cycle_lr(step, period, 0.2)
            x, y = spirals(64, gen)
            joint = net(torch.cat([x, probe]))
            logits, probe_logits = joint[:64], joint[64:]
            loss = nn.functional.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            best.offer(loss.item(), probe_logits, step)
        with torch.no_grad():
            votes += best.consensus()
        snapshots.append({k: v.clone() for k, v in net.state_dict().items()})
        snapshots = snapshots[-3:]
        acc = (votes.argmax(1) == probe_y).float().mean().item()
        print(f"cycle {cycle} best {best.keys[0]:.4f} of {len(best)} vote accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
