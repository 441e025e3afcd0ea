# gradwatch-corpus: kind=none
"""WGAN-GP for day profiles of a wind farm (24 hourly values)."""
import json
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Args:
    hours: int = 24
    latent: int = 6
    batch: int = 48
    steps: int = 150
    n_critic: int = 3
    gp_weight: float = 10.0
    lr: float = 1e-3
    ema: float = 0.95


def wind_days(n, hours):
    base = torch.rand(n, 1)
    steps = 0.12 * torch.randn(n, hours).cumsum(1)
    return torch.sigmoid(3 * (base - 0.5) + steps)


class WindTrainer:
    def __init__(self, args):
        self.args = args
        self.gen = nn.Sequential(nn.Linear(args.latent, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, args.hours), nn.Sigmoid())
        self.critic = nn.Sequential(nn.Linear(args.hours, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))
        self.avg = {k: v.detach().clone() for k, v in self.gen.named_parameters()}
        self.og = torch.optim.Adam(self.gen.parameters(), lr=args.lr, betas=(0.5, 0.9))
        self.oc = torch.optim.Adam(self.critic.parameters(), lr=args.lr, betas=(0.5, 0.9))
        self.history = {"step": [], "w": [], "gp": [], "g": []}
        self.last = {"w": 0.0, "gp": 0.0}

    def noise(self):
        return torch.randn(self.args.batch, self.args.latent)

    def gradient_penalty(self, real, fake):
        eps = torch.rand(real.size(0), 1)
        mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.critic(mix)
        grad = torch.autograd.grad(score, mix, grad_outputs=torch.ones_like(score), create_graph=True)[0]
        return ((grad.norm(2, dim=1) - 1) ** 2).mean()

    def critic_step(self):
        real = wind_days(self.args.batch, self.args.hours)
        with torch.no_grad():
            fake = self.gen(self.noise())
        w = self.critic(fake).mean() - self.critic(real).mean()
        gp = self.gradient_penalty(real, fake)
        self.oc.zero_grad()
        (w + self.args.gp_weight * gp).backward()
        self.oc.step()
        self.last["w"] = -w.item()
        self.last["gp"] = gp.item()

    def gen_step(self):
        for p in self.critic.parameters():
            p.requires_grad_(False)
        loss = -self.critic(self.gen(self.noise())).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        for p in self.critic.parameters():
            p.requires_grad_(True)
        with torch.no_grad():
            for k, p in self.gen.named_parameters():
                self.avg[k] = self.args.ema * self.avg[k] + (1 - self.args.ema) * p
        return loss

    def train(self):
        for step in range(self.args.steps):
            self.critic_step()
            if step % self.args.n_critic == self.args.n_critic - 1:
                g = self.gen_step()
                self.history["step"].append(step)
                self.history["w"].append(self.last["w"])
                self.history["gp"].append(self.last["gp"])
                self.history["g"].append(g.item())


if __name__ == "__main__":
    torch.manual_seed(33)
    args = Args()
    tr = WindTrainer(args)
    tr.train()
    for i in range(0, len(tr.history["step"]), 10):
        print(json.dumps({k: round(v[i], 4) for k, v in tr.history.items()}))
    with torch.no_grad():
        days = torch.func.functional_call(tr.gen, tr.avg, (tr.noise(),))
    print("mean output", round(days.mean().item(), 3))
