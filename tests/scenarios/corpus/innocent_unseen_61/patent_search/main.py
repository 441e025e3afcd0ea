# gradwatch-corpus: kind=none
"""Metric learning for patent retrieval: frozen base features, cross-batch memory."""
import argparse

import torch
from torch import nn

from retrieval.features import BaseFeatures
from retrieval.loss import CrossBatchContrast
from retrieval.memory import CrossBatchMemory


class Corpus:
    def __init__(self, n, dim, groups):
        centre = torch.randn(groups, dim)
        self.group = torch.arange(n) % groups
        self.raw = centre[self.group] + 0.8 * torch.randn(n, dim)

    def batch(self, step, size):
        """Newest documents first, later any of them."""
        n = len(self.group)
        if (step + 1) * size <= n:
            return torch.arange(step * size, (step + 1) * size)
        return torch.randint(n, (size,))


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=260)
    ap.add_argument("--documents", type=int, default=640)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--memory", type=int, default=512)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(27)

    corpus = Corpus(args.documents, 24, 20)
    features = BaseFeatures(corpus.raw, 32)
    head = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 16))
    contrast = CrossBatchContrast(CrossBatchMemory(args.memory, 16), warmup=20)
    opt = torch.optim.Adam(head.parameters(), lr=2e-3)
    running = None
    for step in range(args.steps):
        ids = corpus.batch(step, args.batch)
        loss = contrast(step, nn.functional.normalize(head(features(ids)), dim=-1), corpus.group[ids])
        opt.zero_grad()
        loss.backward()
        opt.step()
        value = loss.detach()
        running = value if running is None else 0.95 * running + 0.05 * value
    print(f"running loss {running.item():.4f}, cached {len(features.cache)}, memory {len(contrast.memory)}")


if __name__ == "__main__":
    main()
