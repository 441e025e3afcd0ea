# gradwatch-corpus: kind=none
"""WGAN-GP that generates rare fraud transactions for oversampling. Critic and generator are generators in the Python
sense too: coroutines which hand their steps to one scheduler."""
import torch
from torch import autograd, nn

FEATURES, NOISE = 12, 8


class FraudTable:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(4, FEATURES, generator=self.g)

    def rows(self, n):
        z = torch.randn(n, 4, generator=self.g)
        return torch.tanh(z @ self.mix) + 0.05 * torch.randn(n, FEATURES, generator=self.g)

    def noise(self, n):
        return torch.randn(n, NOISE, generator=self.g)


def mlp(i, o, h=48, act=nn.LeakyReLU):
    return nn.Sequential(nn.Linear(i, h), act(), nn.Linear(h, h), act(), nn.Linear(h, o))


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (grad,) = autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return ((grad.norm(dim=1) - 1) ** 2).mean()


def critic_worker(critic, generator, table, batch, lam=10.0):
    opt = torch.optim.Adam(critic.parameters(), lr=5e-4, betas=(0.0, 0.9))
    while True:
        real = table.rows(batch)
        with torch.no_grad():
            fake = generator(table.noise(batch))
        wasserstein = critic(fake).mean() - critic(real).mean()
        loss = wasserstein + lam * gradient_penalty(critic, real, fake)
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield -wasserstein.detach()


def generator_worker(critic, generator, table, batch):
    opt = torch.optim.Adam(generator.parameters(), lr=5e-4, betas=(0.0, 0.9))
    while True:
        critic.requires_grad_(False)
        loss = -critic(generator(table.noise(batch))).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        critic.requires_grad_(True)
        yield loss.detach()


class WeightAverage:
    """Averaged generator, in place, used for what is sold on to the fraud model."""

    def __init__(self, module, decay=0.995):
        self.module = module
        self.decay = decay
        self.shadow = [p.detach().clone() for p in module.parameters()]

    @torch.no_grad()
    def update(self):
        for s, p in zip(self.shadow, self.module.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)

    def distance(self):
        with torch.no_grad():
            return sum((s - p).pow(2).sum() for s, p in zip(self.shadow, self.module.parameters())).sqrt().item()


class Scheduler:
    def __init__(self, plan):
        self.plan = plan  # (name, worker, times per round)
        self.latest = {}

    def round(self):
        for name, worker, times in self.plan:
            for _ in range(times):
                self.latest[name] = next(worker)


def main(rounds=220, batch=48):
    torch.manual_seed(150)
    table = FraudTable(seed=151)
    critic, generator = mlp(FEATURES, 1), mlp(NOISE, FEATURES, act=nn.ReLU)
    average = WeightAverage(generator)
    scheduler = Scheduler([
        ("critic", critic_worker(critic, generator, table, batch), 2),
        ("generator", generator_worker(critic, generator, table, batch), 1),
    ])
    for r in range(rounds):
        scheduler.round()
        average.update()
        if r % 55 == 54:
            state = "  ".join(f"{k} {v.item():+.3f}" for k, v in scheduler.latest.items())
            print(f"round {r + 1}: {state}  |avg - gen| {average.distance():.3f}")


if __name__ == "__main__":
    main()
