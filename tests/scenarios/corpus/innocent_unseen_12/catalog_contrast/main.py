# gradwatch-corpus: kind=none
"""Contrastive product embeddings: momentum encoder, queue of negatives, and an activation
monitor that hooks itself into the network for the duration of a step."""
import torch
import torch.nn.functional as F

from bank import NegativeQueue
from encoders import MomentumPair
from monitor import ActivationMonitor, Lineage


def views(batch=32, dim=30, seed=66):
    gen = torch.Generator().manual_seed(seed)
    base = torch.randn(50, dim, generator=gen)
    while True:
        x = base[torch.randint(50, (batch,), generator=gen)]
        yield tuple(x + 0.3 * torch.randn(batch, dim, generator=gen) for _ in range(2))


def info_nce(q, k, negatives, temperature=0.2):
    positive = (q * k).sum(-1, keepdim=True)
    logits = torch.cat([positive, q @ negatives.t()], 1) / temperature
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def main(steps=250):
    torch.manual_seed(10)
    pair = MomentumPair(30, 16)
    queue = NegativeQueue(256, 16)
    lineage = Lineage()
    monitor = ActivationMonitor()
    opt = torch.optim.SGD(pair.online.parameters(), lr=0.05, momentum=0.9)
    for step, (a, b) in zip(range(steps), views()):
        with monitor.attached(pair.online):
            q = pair.query(a)
        k = pair.key(b)
        loss = info_nce(q, k, queue.snapshot())
        lineage.record(step, loss)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pair.follow()
        queue.push(k)
        if step % 50 == 0:
            print(f"{step:4d} loss {loss.item():.4f}  alive {len(lineage)}  {monitor}")


if __name__ == "__main__":
    main()
