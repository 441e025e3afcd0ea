# gradwatch-corpus: kind=none
# about: a GAN whose R1 penalty comes only every sixteenth step, with a second order graph then
# about: and an averaged generator; path-length mean kept as a detached tensor on the module
import torch
import torch.nn as nn
import torch.nn.functional as F
from parts.ema import ModelEma
from parts.pace import ITERATIONS


class Mapping(nn.Module):
    def __init__(self):
        super().__init__()
        self.map = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 16))
        self.synth = nn.Sequential(nn.Linear(16, 32), nn.LeakyReLU(0.2), nn.Linear(32, 12))

    def forward(self, z, with_w=False):
        w = self.map(z)
        x = self.synth(w)
        return (x, w) if with_w else x


class LazyTrainer:
    every = 16

    def __init__(self):
        self.G = Mapping()
        self.D = nn.Sequential(nn.Linear(12, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
        self.ema = ModelEma(self.G)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.99))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.0, 0.99))
        self.mean_path = torch.zeros(())

    def d_step(self, real):
        fake = self.G(torch.randn(len(real), 8)).detach()
        loss = F.softplus(-self.D(real)).mean() + F.softplus(self.D(fake)).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss

    def d_regularize(self, real):
        real.requires_grad = True
        score = self.D(real)
        (grad,) = torch.autograd.grad(score.sum(), real, create_graph=True)
        penalty = grad.pow(2).sum(1).mean()
        self.opt_d.zero_grad()
        (5 * penalty * self.every + 0 * score[0].sum()).backward()
        self.opt_d.step()

    def g_step(self, n):
        loss = F.softplus(-self.D(self.G(torch.randn(n, 8)))).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss

    def g_regularize(self, n):
        x, w = self.G(torch.randn(n, 8), with_w=True)
        noise = torch.randn_like(x) / 3
        (grad,) = torch.autograd.grad((x * noise).sum(), w, create_graph=True)
        lengths = grad.pow(2).sum(1).sqrt()
        mean = self.mean_path + 0.01 * (lengths.mean() - self.mean_path)
        self.mean_path = mean.detach()
        self.opt_g.zero_grad()
        (lengths - mean).pow(2).mean().mul(2 * 4).backward()
        self.opt_g.step()


def main():
    torch.manual_seed(0)
    trainer = LazyTrainer()
    for i in range(ITERATIONS):
        real = torch.randn(16, 12).cumsum(1) * 0.3
        d = trainer.d_step(real)
        if i % trainer.every == 0:
            trainer.d_regularize(real)
        g = trainer.g_step(16)
        if i % 4 == 0:
            trainer.g_regularize(8)
        trainer.ema.update(trainer.G)
        if i % 50 == 0:
            print(f"{i}: d {d.item():.6f} g {g.item():.6f} path {trainer.mean_path.item():.6f}")


if __name__ == "__main__":
    main()
