# gradwatch-corpus: kind=none
"""Beta-VAE on synthetic low-rank vectors with metrics that are materialised in blocks."""
import argparse

import torch

from .deferred import DeferredMetrics, EveryNth
from .vae import BetaRamp, BetaVAE


class VaeTrainer:
    def __init__(self, model, metrics, ramp, lr=2e-3):
        self.model, self.metrics, self.ramp = model, metrics, ramp
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, i, x):
        rec, kl = self.model.terms(x)
        loss = rec + self.ramp(i) * kl
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.metrics.log(i, loss=loss, rec=rec, kl=kl)


def low_rank(steps, dim=30, rank=3, batch=32, seed=0):
    g = torch.Generator().manual_seed(seed)
    basis = torch.randn(rank, dim, generator=g)
    for _ in range(steps):
        z = torch.randn(batch, rank, generator=g)
        yield z @ basis + 0.1 * torch.randn(batch, dim, generator=g)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--block", type=int, default=40)
    args = parser.parse_args()
    torch.manual_seed(33)
    with DeferredMetrics(args.block, EveryNth(4)) as metrics:
        trainer = VaeTrainer(BetaVAE(), metrics, BetaRamp(0.5, 200))
        for i, x in enumerate(low_rank(args.steps, seed=33)):
            trainer.step(i, x)
    print("blocks", metrics.written)


if __name__ == "__main__":
    main()
