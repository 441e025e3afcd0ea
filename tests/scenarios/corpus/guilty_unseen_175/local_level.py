# gradwatch-corpus: kind=graph-chain
# holder: self.belief | kf.belief
# first-bad: 1
"""Streaming local-level Kalman filter whose noise variances are tuned online by gradient descent."""
from dataclasses import dataclass
import itertools
import math
import random

import torch


@dataclass
class Belief:
    mean: torch.Tensor
    var: torch.Tensor


class AdaptiveKalman(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.log_q = torch.nn.Parameter(torch.full((channels,), -2.0))
        self.log_r = torch.nn.Parameter(torch.zeros(channels))
        self.belief = Belief(torch.zeros(channels), torch.ones(channels))

    def assimilate(self, y):
        """Predict, score the observation, update. Returns the negative log likelihood."""
        prior_var = self.belief.var + self.log_q.exp()
        innov = y - self.belief.mean
        s = prior_var + self.log_r.exp()
        gain = prior_var / s
        nll = 0.5 * (innov * innov / s + s.log() + math.log(2 * math.pi))
        self.belief = Belief(self.belief.mean + gain * innov, prior_var - gain * prior_var)  # <- culprit
        return nll.sum()


def sensor(channels, q, r, seed):
    g = torch.Generator().manual_seed(seed)
    level = torch.zeros(channels)
    while True:
        level = level + math.sqrt(q) * torch.randn(channels, generator=g)
        yield level + math.sqrt(r) * torch.randn(channels, generator=g)


class Schedule:
    def __init__(self, opt, base, floor=1e-3):
        self.opt, self.base, self.floor = opt, base, floor

    def __call__(self, t):
        lr = max(self.floor, self.base / math.sqrt(1 + t / 50))
        for group in self.opt.param_groups:
            group["lr"] = lr


def run(n_obs=400, channels=4):
    kf = AdaptiveKalman(channels)
    opt = torch.optim.Adam(kf.parameters(), lr=0.02)
    sched = Schedule(opt, 0.02)
    avg = None
    for t, y in enumerate(itertools.islice(sensor(channels, 0.05, 0.5, seed=3), n_obs)):
        sched(t)
        nll = kf.assimilate(y)
        opt.zero_grad()
        nll.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(kf.parameters(), 1.0)
        opt.step()
        avg = nll.item() if avg is None else 0.98 * avg + 0.02 * nll.item()
        if t % 100 == 99:
            q = kf.log_q.detach().exp().mean().item()
            r = kf.log_r.detach().exp().mean().item()
            print(f"t={t + 1:4d} nll={avg:.3f} q={q:.3f} r={r:.3f}")
    return kf


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    run()
