# gradwatch-corpus: kind=none
"""WGAN-GP for daily asset returns (fat tails, volatility clustering). Three critic updates for each of the generator's."""
import torch
from torch import nn

DAYS = 20
LATENT = 6
N_CRITIC = 3


def garch(n, rng):
    sigma2 = torch.full((n,), 1.0)
    r = torch.zeros(n)
    path = []
    for _ in range(DAYS):
        sigma2 = 0.1 + 0.15 * r.square() + 0.75 * sigma2
        r = sigma2.sqrt() * torch.randn(n, generator=rng)
        path.append(r)
    return torch.stack(path, 1)


def make_generator():
    return nn.Sequential(nn.Linear(LATENT, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, DAYS))


def make_critic():
    return nn.Sequential(nn.Linear(DAYS, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))


class trainable:
    """Context in which only the given module takes gradients."""

    def __init__(self, active, frozen):
        self.active, self.frozen = active, frozen

    def __enter__(self):
        self.frozen.requires_grad_(False)
        return self.active

    def __exit__(self, *exc):
        self.frozen.requires_grad_(True)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


class Duel:
    def __init__(self, lr=1e-3, gp=5.0):
        self.generator, self.critic = make_generator(), make_critic()
        self.opts = {
            "g": torch.optim.Adam(self.generator.parameters(), lr, betas=(0.5, 0.9)),
            "c": torch.optim.Adam(self.critic.parameters(), lr, betas=(0.5, 0.9)),
        }
        self.gp = gp
        self.turn = 0

    def _descend(self, who, loss):
        self.opts[who].zero_grad()
        loss.backward()
        self.opts[who].step()
        return loss.item()

    def critic_turn(self, real):
        with trainable(self.critic, self.generator) as critic:
            fake = self.generator(torch.randn(len(real), LATENT))
            loss = critic(fake).mean() - critic(real).mean() + self.gp * gradient_penalty(critic, real, fake)
            return self._descend("c", loss)

    def generator_turn(self, n):
        with trainable(self.generator, self.critic) as generator:
            loss = -self.critic(generator(torch.randn(n, LATENT))).mean()
            return self._descend("g", loss)

    def step(self, real):
        self.turn += 1
        c = self.critic_turn(real)
        g = self.generator_turn(len(real)) if self.turn % N_CRITIC == 0 else None
        return c, g

    @torch.no_grad()
    def kurtosis(self, n=1000):
        x = self.generator(torch.randn(n, LATENT)).flatten()
        x = (x - x.mean()) / x.std()
        return x.pow(4).mean().item()


def main():
    torch.manual_seed(1987)
    rng = torch.Generator().manual_seed(10)
    duel = Duel()
    g = float("nan")
    for step in range(1, 451):
        c, g_new = duel.step(garch(64, rng))
        g = g if g_new is None else g_new
        if step % 90 == 0:
            print(f"{step:4d}  critic {c:+.3f}  generator {g:+.3f}  kurtosis {duel.kurtosis():.2f}")


if __name__ == "__main__":
    main()
