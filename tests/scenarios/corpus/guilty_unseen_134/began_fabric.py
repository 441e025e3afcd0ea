# gradwatch-corpus: kind=second-backward
# holder: self.k | balance.k | gan.balance.k
# first-bad: 1
# notice: 0
"""Boundary-equilibrium GAN on synthetic fabric weave patches."""
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class BeganConfig:
    seed: int = 10
    side: int = 6
    noise: int = 5
    code: int = 8
    batch: int = 12
    gamma: float = 0.6
    lambda_k: float = 0.01
    lr: float = 4e-4
    iterations: int = 400


class Decoder(nn.Sequential):
    def __init__(self, inp, cfg):
        super().__init__(nn.Linear(inp, 32), nn.ELU(), nn.Linear(32, cfg.side ** 2), nn.Sigmoid())


class Judge(nn.Module):
    """Auto-encoder; the 'score' of an image is its reconstruction error."""

    def __init__(self, cfg):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(cfg.side ** 2, 32), nn.ELU(), nn.Linear(32, cfg.code))
        self.dec = Decoder(cfg.code, cfg)

    def forward(self, img):
        return (self.dec(self.enc(img)) - img).abs().mean()


class Balance:
    def __init__(self, gamma, lam):
        self.gamma, self.lam = gamma, lam
        self.k = torch.tensor(0.0)

    def judge_loss(self, real, fake):
        return real - self.k * fake

    def move(self, real, fake):
        diff = self.gamma * real - fake
        self.k = torch.clamp(self.k + self.lam * diff, 0.0, 1.0)  # <- culprit
        return real.item() + diff.abs().item()


class Began:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = Decoder(cfg.noise, cfg)
        self.judge = Judge(cfg)
        self.opt = torch.optim.Adam([{"params": self.gen.parameters()},
                                     {"params": self.judge.parameters(), "lr": cfg.lr / 2}], lr=cfg.lr)
        self.balance = Balance(cfg.gamma, cfg.lambda_k)

    def weave(self):
        c = self.cfg
        i = torch.arange(c.side)
        period = torch.randint(2, 4, (c.batch, 1, 1))
        cloth = ((i[:, None] + i[None, :]) % period == 0).float()
        return (0.8 * cloth + 0.2 * torch.rand(c.batch, c.side, c.side)).flatten(1)

    def iterate(self):
        z = torch.rand(self.cfg.batch, self.cfg.noise) * 2 - 1
        self.opt.zero_grad()
        self.judge(self.gen(z)).backward()
        self.judge.zero_grad()

        real = self.judge(self.weave())
        fake = self.judge(self.gen(z).detach())
        loss = self.balance.judge_loss(real, fake)
        loss.backward()
        self.opt.step()
        return self.balance.move(real, fake)


if __name__ == "__main__":
    cfg = BeganConfig()
    torch.manual_seed(cfg.seed)
    gan = Began(cfg)
    for it in range(cfg.iterations):
        m = gan.iterate()
    print("convergence", m)
