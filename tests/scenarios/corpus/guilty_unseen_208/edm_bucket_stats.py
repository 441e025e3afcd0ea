# gradwatch-corpus: kind=graph-held
# holder: self.by_bucket | self.by_bucket[b] | self.noise_report.by_bucket | trainer.noise_report.by_bucket
# first-bad: 1
"""EDM-style denoiser on 2-d spirals, with a report of the loss per noise level."""
import math
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


@dataclass
class EDMConfig:
    sigma_data: float = 0.5
    p_mean: float = -1.2
    p_std: float = 1.2
    width: int = 48
    batch_size: int = 64
    lr: float = 2e-3
    steps: int = 500
    edges: tuple = (0.1, 0.3, 1.0)
    seed: int = 4


def spirals(n: int, gen: torch.Generator) -> Tensor:
    t = torch.rand(n, generator=gen).sqrt() * 3 * math.pi
    arm = torch.randint(0, 2, (n,), generator=gen).float() * math.pi
    pts = torch.stack([t * torch.cos(t + arm), t * torch.sin(t + arm)], dim=1)
    return pts / 10 + 0.02 * torch.randn(n, 2, generator=gen)


class Precond(nn.Module):
    def __init__(self, cfg: EDMConfig):
        super().__init__()
        self.sd = cfg.sigma_data
        self.net = nn.Sequential(
            nn.Linear(2 + 4, cfg.width), nn.SiLU(),
            nn.Linear(cfg.width, cfg.width), nn.SiLU(),
            nn.Linear(cfg.width, 2),
        )
        self.register_buffer("freqs", torch.tensor([1.0, 2.5]))

    def forward(self, x: Tensor, sigma: Tensor) -> Tensor:
        s = sigma[:, None]
        c_skip = self.sd**2 / (s**2 + self.sd**2)
        c_out = s * self.sd / (s**2 + self.sd**2).sqrt()
        c_in = 1 / (s**2 + self.sd**2).sqrt()
        ang = (s.log() / 4) * self.freqs
        emb = torch.cat([ang.sin(), ang.cos()], dim=1)
        return c_skip * x + c_out * self.net(torch.cat([c_in * x, emb], dim=1))


@dataclass
class NoiseLevelReport:
    edges: Tensor
    by_bucket: dict = field(default_factory=lambda: defaultdict(list))

    def update(self, sigma: Tensor, per_sample: Tensor) -> None:
        which = torch.bucketize(sigma, self.edges)
        for b in which.unique().tolist():
            self.by_bucket[b].append(per_sample[which == b].mean())  # <- culprit

    def table(self) -> str:
        rows = []
        for b in sorted(self.by_bucket):
            recent = self.by_bucket[b][-50:]
            rows.append(f"bucket {b}: {sum(float(v) for v in recent) / len(recent):.4f}")
        return " | ".join(rows)


class Trainer:
    def __init__(self, cfg: EDMConfig):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.model = Precond(cfg)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr, weight_decay=1e-4)
        self.noise_report = NoiseLevelReport(torch.tensor(cfg.edges))

    def loss(self, x0: Tensor) -> Tensor:
        cfg = self.cfg
        sigma = (cfg.p_mean + cfg.p_std * torch.randn(len(x0), generator=self.gen)).exp()
        noise = torch.randn(x0.shape, generator=self.gen) * sigma[:, None]
        weight = (sigma**2 + cfg.sigma_data**2) / (sigma * cfg.sigma_data) ** 2
        denoised = self.model(x0 + noise, sigma)
        per_sample = weight * (denoised - x0).pow(2).sum(1)
        self.noise_report.update(sigma, per_sample)
        return per_sample.mean()

    def fit(self) -> None:
        for step in range(self.cfg.steps):
            loss = self.loss(spirals(self.cfg.batch_size, self.gen))
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            if step % 100 == 99:
                print(f"[{step + 1}] {loss.item():.4f}  {self.noise_report.table()}")


if __name__ == "__main__":
    trainer = Trainer(EDMConfig())
    trainer.fit()
