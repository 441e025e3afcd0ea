# gradwatch-corpus: kind=none
# about: WGAN-GP: five critic steps to one of the generator, forty at the start; the gradient
# about: penalty is a gradient with a graph of its own (create_graph=True)
import itertools

import torch
import torch.nn as nn
from parts.pace import ITERATIONS


def net(n_in, n_out):
    return nn.Sequential(
        nn.Linear(n_in, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, n_out)
    )


def swiss_roll(n):
    t = 1.5 * torch.pi * (1 + 2 * torch.rand(n))
    return torch.stack([t * t.cos(), t * t.sin()], 1) / 10 + 0.02 * torch.randn(n, 2)


class WGANGP:
    def __init__(self, latent=4, weight=10.0):
        self.latent, self.weight = latent, weight
        self.G, self.C = net(latent, 2), net(2, 1)
        self.g_opt = torch.optim.Adam(self.G.parameters(), lr=1e-4, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.C.parameters(), lr=1e-4, betas=(0.0, 0.9))

    def sample(self, n):
        return self.G(torch.randn(n, self.latent))

    def gradient_penalty(self, real, fake):
        alpha = torch.rand(len(real), 1)
        mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        out = self.C(mixed)
        (grad,) = torch.autograd.grad(
            outputs=out,
            inputs=mixed,
            grad_outputs=torch.ones_like(out),
            create_graph=True,
            retain_graph=True,
            only_inputs=True,
        )
        return ((grad.norm(2, dim=1) - 1) ** 2).mean()

    def critic_step(self, real):
        fake = self.sample(len(real)).detach()
        self.c_opt.zero_grad()
        wasserstein = self.C(real).mean() - self.C(fake).mean()
        loss = -wasserstein + self.weight * self.gradient_penalty(real, fake)
        loss.backward()
        self.c_opt.step()
        return wasserstein.item()

    def generator_step(self, n):
        self.g_opt.zero_grad()
        loss = -self.C(self.sample(n)).mean()
        loss.backward()
        self.g_opt.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    gan = WGANGP()
    done = 0
    for round_ in itertools.count():
        n_critic = 40 if round_ in (0, 1, 20) else 5
        for _ in range(n_critic):
            w = gan.critic_step(swiss_roll(32))
        g = gan.generator_step(32)
        done += n_critic + 1
        if round_ % 10 == 0:
            print(f"round {round_}: distance {w:.6f} generator {g:.6f}")
        if done >= 2 * ITERATIONS:
            return


if __name__ == "__main__":
    main()
