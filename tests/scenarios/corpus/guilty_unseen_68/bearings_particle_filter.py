# gradwatch-corpus: kind=inplace-modified
# holder: w | loss | evidence
# first-bad: 6
# notice: 0
"""Bearings-only tracking: learn motion noise and a proposal net through a soft-resampled particle filter."""
import math
from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class Cloud:
    xy: torch.Tensor
    logw: torch.Tensor


@dataclass
class Config:
    particles: int = 40
    horizon: int = 6
    updates: int = 60
    soft_from: int = 6       # resampling is off during the first updates
    mix: float = 0.7
    lr: float = 5e-3
    seed: int = 21


class Proposal(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2))
        self.log_scale = nn.Parameter(torch.tensor(-1.5))

    def forward(self, xy, bearing):
        ctx = torch.stack([bearing.sin(), bearing.cos()]).expand(len(xy), 2)
        return xy + 0.2 * self.shift(torch.cat([xy, ctx], 1)) + self.log_scale.exp() * torch.randn_like(xy)


def normalised(logw):
    w = torch.exp(logw - logw.detach().max())
    w /= w.sum()  # <- culprit
    return w


def soft_resample(cloud, mix):
    n = len(cloud.logw)
    w = normalised(cloud.logw)
    q = mix * w + (1 - mix) / n
    idx = torch.multinomial(q.detach(), n, replacement=True)
    return replace(cloud, xy=cloud.xy[idx], logw=torch.log(w[idx] / q[idx] + 1e-12) - math.log(n))


class ParticleFilter:
    def __init__(self, cfg, proposal):
        self.cfg, self.proposal = cfg, proposal
        self.log_sigma = nn.Parameter(torch.tensor(-1.0))

    def parameters(self):
        return [*self.proposal.parameters(), self.log_sigma]

    def likelihood(self, xy, bearing):
        predicted = torch.atan2(xy[:, 1], xy[:, 0])
        diff = torch.sin(predicted - bearing)
        return -0.5 * (diff / self.log_sigma.exp()) ** 2 - self.log_sigma

    def run(self, bearings, start, resample):
        n = self.cfg.particles
        cloud = Cloud(start + 0.1 * torch.randn(n, 2), torch.full((n,), -math.log(n)))
        evidence = 0.0
        for b in bearings:
            xy = self.proposal(cloud.xy, b)
            logw = cloud.logw + self.likelihood(xy, b)
            step_ev = torch.logsumexp(logw, 0)
            evidence = evidence + step_ev
            cloud = Cloud(xy, logw - step_ev)
            if resample:
                cloud = soft_resample(cloud, self.cfg.mix)
        return evidence, cloud


def trajectory(T, gen):
    p = torch.randn(2, generator=gen) + torch.tensor([2.0, 0.0])
    v = 0.2 * torch.randn(2, generator=gen)
    start, out = p.clone(), []
    for _ in range(T):
        p = p + v
        out.append(torch.atan2(p[1], p[0]) + 0.05 * torch.randn((), generator=gen))
    return start, torch.stack(out)


def main():
    cfg = Config()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed + 1)
    pf = ParticleFilter(cfg, Proposal())
    opt = torch.optim.RMSprop(pf.parameters(), lr=cfg.lr)
    for u in range(cfg.updates):
        start, bearings = trajectory(cfg.horizon, gen)
        evidence, _ = pf.run(bearings, start, resample=u >= cfg.soft_from)
        loss = -evidence / cfg.horizon
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(pf.parameters(), 2.0)
        opt.step()
        if u % 5 == 0:
            print(f"update {u:2d}  -log p(y) {loss.item():.3f}  sigma {pf.log_sigma.exp().item():.3f}")


if __name__ == "__main__":
    main()
