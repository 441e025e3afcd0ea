# gradwatch-corpus: kind=graph-held
# holder: self.jobs | diagnostics.jobs
# first-bad: 1
"""Aqueous solubility from group counts, with calibration diagnostics at the end of the campaign."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class MoleculeBatch:
    counts: torch.Tensor
    log_s: torch.Tensor


class FragmentLibrary:
    def __init__(self, n_groups):
        self.contribution = torch.randn(n_groups) * 0.4
        self.pair = 0.05 * torch.randn(n_groups, n_groups)
        self.abundance = torch.rand(n_groups) * 2

    def sample(self, n):
        counts = torch.poisson(self.abundance.expand(n, -1))
        additive = counts @ self.contribution
        coupled = ((counts @ self.pair) * counts).sum(dim=1) * 0.1
        log_s = additive + coupled - 2.0 + 0.2 * torch.randn(n)
        return MoleculeBatch(counts, log_s)


class SolubilityNet(nn.Module):
    def __init__(self, n_groups, width=96):
        super().__init__()
        self.encode = nn.Linear(n_groups, width)
        self.mix = nn.Linear(width, width)
        self.mean = nn.Linear(width, 1)
        self.log_sigma = nn.Linear(width, 1)

    def forward(self, counts):
        h = torch.relu(self.encode(torch.log1p(counts)))
        h = h + torch.relu(self.mix(h))
        mean = self.mean(h).squeeze(1)
        log_sigma = self.log_sigma(h).squeeze(1).clamp(-4, 2)
        return mean, log_sigma


def gaussian_nll(mean, log_sigma, target):
    z = (target - mean) * torch.exp(-log_sigma)
    return (0.5 * z.square() + log_sigma).mean()


class Diagnostics:
    """Collects small computations that are too slow to do between batches."""

    def __init__(self):
        self.jobs = []

    def later(self, job):
        self.jobs.append(job)  # <- culprit

    def run(self):
        with torch.no_grad():
            return [job() for job in self.jobs]


class Campaign:
    def __init__(self, net, diagnostics, lr):
        self.net = net
        self.diagnostics = diagnostics
        self.optimizer = torch.optim.NAdam(net.parameters(), lr=lr)

    def fit(self, batch):
        mean, log_sigma = self.net(batch.counts)
        nll = gaussian_nll(mean, log_sigma, batch.log_s)
        self.optimizer.zero_grad(set_to_none=True)
        nll.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimizer.step()

        def coverage():  # <- culprit
            inside = (batch.log_s - mean).abs() < 1.96 * log_sigma.exp()
            return inside.float().mean().item()

        self.diagnostics.later(coverage)  # <- culprit
        return nll.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--groups", type=int, default=40)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--batches", type=int, default=150)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()

    torch.manual_seed(4)
    library = FragmentLibrary(args.groups)
    diagnostics = Diagnostics()
    campaign = Campaign(SolubilityNet(args.groups), diagnostics, args.lr)
    for number in range(args.batches):
        nll = campaign.fit(library.sample(args.batch))
        if number % 30 == 0:
            print(f"batch {number:3d}  nll {nll:.4f}")
    coverages = diagnostics.run()
    third = len(coverages) // 3
    print(f"95% coverage early {sum(coverages[:third]) / third:.3f}, late {sum(coverages[-third:]) / third:.3f}")


if __name__ == "__main__":
    main()
