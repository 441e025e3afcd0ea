# gradwatch-corpus: kind=none
"""WGAN-GP on toy particle-jet observables (mass, width, multiplicity, pT)."""
import collections

import torch
from torch import nn

DIM = 4
NOISE = 8
N_CRITIC = 3


def jets(n):
    pt = torch.distributions.Gamma(3.0, 1.0).sample((n,))
    mass = 0.2 * pt + 0.1 * torch.randn(n)
    width = torch.sigmoid(mass - 0.5 + 0.2 * torch.randn(n))
    mult = torch.log1p(torch.poisson(4 * pt))
    return torch.stack([mass, width, mult, pt], dim=1)


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(act())
    return nn.Sequential(*layers[:-1])


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.shape[0], 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    (grad,) = torch.autograd.grad(score.sum(), mixed, create_graph=True)
    return (grad.norm(2, dim=1) - 1).pow(2).mean()


class Wasserstein:
    def __init__(self, lr=3e-4, lam=5.0):
        self.gen = mlp(NOISE, 64, 64, DIM)
        self.critic = mlp(DIM, 64, 64, 1)
        self.lam = lam
        self.gen_opt = torch.optim.Adam(self.gen.parameters(), lr, (0.0, 0.9))
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr, (0.0, 0.9))
        self.log = collections.defaultdict(list)

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.gen(torch.randn(real.shape[0], NOISE))
        gap = self.critic(fake).mean() - self.critic(real).mean()
        penalty = gradient_penalty(self.critic, real, fake)
        loss = gap + self.lam * penalty
        self.critic_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.critic_opt.step()
        self.log["gap"].append(-gap.item())
        self.log["penalty"].append(penalty.detach())

    def gen_step(self, n):
        self.critic.requires_grad_(False)
        score = self.critic(self.gen(torch.randn(n, NOISE))).mean()
        self.gen_opt.zero_grad(set_to_none=True)
        (-score).backward()
        self.gen_opt.step()
        self.critic.requires_grad_(True)
        self.log["score"].append(score.item())

    def summary(self):
        rows = {}
        for key, values in self.log.items():
            rows[key] = float(torch.as_tensor(values).mean())
        self.log.clear()
        return rows


def main():
    torch.manual_seed(125)
    game = Wasserstein()
    for it in range(100):
        for _ in range(N_CRITIC):
            game.critic_step(jets(128))
        game.gen_step(128)
        if it % 25 == 24:
            text = ", ".join(f"{k} {v:+.3f}" for k, v in game.summary().items())
            print(f"iter {it + 1}: {text}")
    with torch.no_grad():
        sample = game.gen(torch.randn(1000, NOISE))
    print("mean generated", sample.mean(0).tolist())


if __name__ == "__main__":
    main()
