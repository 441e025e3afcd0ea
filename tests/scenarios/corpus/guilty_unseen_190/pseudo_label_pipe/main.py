# gradwatch-corpus: kind=second-backward
# first-bad: 25
import itertools

import torch
import torch.nn as nn

from curriculum import HardBatchQueue, per_sample_loss, spirals

CYCLE = 25
MAX_ITERS = 500


def endless(gen, bs):
    while True:
        yield spirals(bs, gen)


def build():
    return nn.Sequential(nn.Linear(2, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 2))


def step(opt, loss):
    opt.zero_grad()
    loss.backward()
    opt.step()


def main():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    net = build()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    queue = HardBatchQueue()
    hits = total = 0
    for it, (x, y) in enumerate(itertools.islice(endless(gen, 24), MAX_ITERS)):
        if it and it % CYCLE == 0:
            review = queue.drain()
            extra = sum(l for l, _, _ in review) / len(review)  # <- culprit
            step(opt, extra)
            print(f"it {it}: review loss {extra.item():.4f} acc {hits / total:.3f}")
            hits = total = 0
        logits = net(x)
        losses = per_sample_loss(logits, y)
        step(opt, losses.mean())
        queue.offer(x, y, losses)
        hits += (logits.argmax(1) == y).sum().item()
        total += len(y)


if __name__ == "__main__":
    main()
