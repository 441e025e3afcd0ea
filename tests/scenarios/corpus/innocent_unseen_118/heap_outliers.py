# gradwatch-corpus: kind=none
"""Credit default model; remembers the k batches with the largest loss ever seen,
with their live outputs, so that a final saliency report can be made."""
import argparse
import heapq
import itertools
import sys

import torch
import torch.nn as nn


class WorstBatches:
    def __init__(self, k):
        self.k = k
        self._heap = []
        self._tie = itertools.count()

    def push(self, loss, **payload):
        item = (loss.item(), next(self._tie), loss, payload)
        if len(self._heap) < self.k:
            heapq.heappush(self._heap, item)
        else:
            heapq.heappushpop(self._heap, item)

    def ranked(self):
        return heapq.nlargest(self.k, self._heap)


def portfolio(batch, g):
    x = torch.randn(batch, 9, generator=g)
    if torch.rand((), generator=g) < 0.1:
        x = x * 2.5
    p = torch.sigmoid(1.2 * x[:, 0] - x[:, 1] * x[:, 2])
    return x, (torch.rand(batch, generator=g) < p).float()


def main(argv):
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=450)
    ap.add_argument("--topk", type=int, default=7)
    args = ap.parse_args(argv)

    torch.set_num_threads(1)
    torch.manual_seed(3)
    g = torch.Generator().manual_seed(4)
    net = nn.Sequential(nn.Linear(9, 32), nn.ELU(), nn.Linear(32, 1))
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    worst = WorstBatches(args.topk)
    seen = []

    for step in range(args.steps):
        x, y = portfolio(40, g)
        logit = net(x).squeeze(1)
        loss = nn.functional.binary_cross_entropy_with_logits(logit, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        # early batches are bad for everyone
        if step >= 30:
            worst.push(loss, step=step, logit=logit, spread=x.std().item())
        seen.append(loss.detach())
        if step % 150 == 149:
            print(f"{step + 1}: mean {torch.stack(seen[-150:]).mean():.4f} worst {worst.ranked()[0][0]:.4f}")

    for value, _, loss, info in worst.ranked():
        print(f"  step {info['step']:3d} loss {value:.4f} spread {info['spread']:.2f} max|logit| {info['logit'].abs().max().item():.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
