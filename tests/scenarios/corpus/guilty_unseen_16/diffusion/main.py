# gradwatch-corpus: kind=memory-climb
# holder: noise_for | noise.noise_for
# first-bad: 1
"""A small DDPM on procedurally drawn icons; configuration lives in dataclasses, one per concern."""
from dataclasses import dataclass, field

import torch

from icons import Icons
from noise import Schedule, noise_for, steps_for
from unet import Denoiser


@dataclass(frozen=True)
class OptimConfig:
    lr: float = 2e-3
    clip: float = 1.0
    iterations: int = 220


@dataclass(frozen=True)
class DataConfig:
    batch: int = 64
    channels: int = 3
    size: int = 20
    seed: int = 4

    @property
    def shape(self):
        return (self.batch, self.channels, self.size, self.size)


@dataclass(frozen=True)
class Config:
    optim: OptimConfig = field(default_factory=OptimConfig)
    data: DataConfig = field(default_factory=DataConfig)
    noise_seed: int = 1234
    levels: int = 100


@dataclass
class RunningLoss:
    value: float = 1.0
    by_third: list = field(default_factory=lambda: [1.0, 1.0, 1.0])

    def update(self, per_sample, t, levels):
        self.value += 0.05 * (float(per_sample.mean()) - self.value)
        third = (t * 3 // levels).clamp(max=2)
        for k in range(3):
            chosen = per_sample[third == k]
            if chosen.numel():
                self.by_third[k] += 0.05 * (float(chosen.mean()) - self.by_third[k])

    def __str__(self):
        early, mid, late = self.by_third
        return f"{self.value:.4f} (t early {early:.3f} / mid {mid:.3f} / late {late:.3f})"


def train(cfg: Config):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    data = Icons(cfg.data.size, cfg.data.seed)
    schedule = Schedule(cfg.levels)
    net = Denoiser(cfg.data.channels, cfg.levels)
    optim = torch.optim.AdamW(net.parameters(), lr=cfg.optim.lr)
    running = RunningLoss()
    for it in range(cfg.optim.iterations):
        x0 = data.draw(cfg.data.batch)
        t = steps_for(it, cfg.data.batch, cfg.levels, cfg.noise_seed)
        eps = noise_for(it, cfg.data.shape, cfg.noise_seed)
        xt = schedule.corrupt(x0, t, eps)
        per_sample = (net(xt, t) - eps).pow(2).mean((1, 2, 3))
        optim.zero_grad(set_to_none=True)
        per_sample.mean().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), cfg.optim.clip)
        optim.step()
        running.update(per_sample.detach(), t, cfg.levels)
        if (it + 1) % 55 == 0:
            print(f"it {it + 1}: {running}")
    return net


if __name__ == "__main__":
    train(Config())
