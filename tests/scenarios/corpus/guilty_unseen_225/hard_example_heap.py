# gradwatch-corpus: kind=graph-held
# holder: self.heap | miner.heap
# first-bad: 1
"""Siamese embedding of router fingerprints with a mined pool of the worst pairs."""
import asyncio
import heapq
import itertools
from collections import namedtuple

import torch
from torch import nn

Pair = namedtuple("Pair", "left right same")


class HardPairMiner:
    def __init__(self):
        self.heap = []
        self.tiebreak = itertools.count()

    def offer(self, pairs, scores):
        for i in scores.topk(2).indices.tolist():
            sample = Pair(pairs.left[i], pairs.right[i], pairs.same[i])
            key = -scores[i]  # <- culprit
            heapq.heappush(self.heap, (key, next(self.tiebreak), sample))  # <- culprit

    def worst(self, k):
        chosen = [entry[2] for entry in heapq.nsmallest(k, self.heap)]
        return Pair(*(torch.stack(col) for col in zip(*chosen)))


class Encoder(nn.Module):
    def __init__(self, n_ports, dim):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_ports, 96),
            nn.LayerNorm(96),
            nn.ReLU(),
            nn.Linear(96, dim),
        )

    def forward(self, x):
        return nn.functional.normalize(self.body(x), dim=-1)


def contrastive(encoder, pairs, margin=0.7):
    a = encoder(pairs.left)
    b = encoder(pairs.right)
    dist = (a - b).pow(2).sum(-1).add(1e-8).sqrt()
    pull = pairs.same * dist.pow(2)
    push = (1 - pairs.same) * torch.relu(margin - dist).pow(2)
    return pull + push


async def probe(channel, n_batches, seed):
    gen = torch.Generator().manual_seed(seed)
    families = torch.randn(12, 64, generator=gen)
    for _ in range(n_batches):
        left_id = torch.randint(12, (40,), generator=gen)
        coin = torch.rand(40, generator=gen) < 0.5
        other = torch.randint(12, (40,), generator=gen)
        right_id = torch.where(coin, left_id, other)
        left = families[left_id] + 0.7 * torch.randn(40, 64, generator=gen)
        right = families[right_id] + 0.7 * torch.randn(40, 64, generator=gen)
        same = (left_id == right_id).float()
        await channel.put(Pair(left, right, same))
    await channel.put(None)


async def learn(channel, encoder, miner):
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    step = 0
    while (pairs := await channel.get()) is not None:
        optimizer.zero_grad()
        per_pair = contrastive(encoder, pairs)
        per_pair.mean().backward()
        optimizer.step()
        miner.offer(pairs, per_pair)  # <- culprit
        if step % 8 == 7:
            optimizer.zero_grad()
            review = contrastive(encoder, miner.worst(16)).mean()
            review.backward()
            optimizer.step()
        if step % 30 == 0:
            print(f"step {step:3d} loss {per_pair.mean().item():.4f}")
        step += 1
    return step


async def main():
    torch.manual_seed(2)
    channel = asyncio.Queue(maxsize=4)
    encoder = Encoder(64, 16)
    miner = HardPairMiner()
    source = asyncio.create_task(probe(channel, 140, seed=3))
    steps = await learn(channel, encoder, miner)
    await source
    print(steps, "steps,", len(miner.heap), "pairs mined")


if __name__ == "__main__":
    asyncio.run(main())
