# gradwatch-corpus: kind=none
"""Wheat leaf disease (healthy / rust / septoria / mildew): supervised + contrastive with a memory bank,
gradient accumulation and mean teacher."""
import torch

from engine import Engine
from leaves import LeafSampler

torch.set_num_threads(1)
torch.manual_seed(88)

if __name__ == "__main__":
    sampler = LeafSampler(batch=8)
    engine = Engine(n_classes=4, accumulate=2)
    for it in range(320):
        report = engine.iteration(sampler)
        if it % 40 == 39:
            print(it + 1, report, "teacher acc %.2f" % engine.accuracy(sampler))
