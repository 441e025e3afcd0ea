# gradwatch-corpus: kind=second-backward
# holder: self.images | self.images[slot] | self.pool.images | gan.pool.images | pool.images | past | point
# first-bad: 13
# also: graph-held
import random

import torch
from torch import nn

Z, STEPS, BATCH = 4, 90, 32


class FakePool:
    """History of generated points for the critic, after Shrivastava et al."""

    def __init__(self, capacity, rng):
        self.capacity = capacity
        self.images = []
        self.rng = rng

    @property
    def full(self):
        return len(self.images) >= self.capacity

    def push(self, batch):
        for point in batch:  # <- culprit
            if not self.full:
                self.images.append(point)  # <- culprit
            else:
                slot = self.rng.randrange(self.capacity)
                self.images[slot] = point  # <- culprit

    def sample(self, k):
        return torch.stack(self.rng.sample(self.images, k))  # <- culprit


def mlp(d_in, d_out, width=48):
    return nn.Sequential(nn.Linear(d_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, d_out))


class BlobGan:
    def __init__(self, pool):
        self.generator = mlp(Z, 2)
        self.critic = mlp(2, 1)
        self.pool = pool
        self.g_params = list(self.generator.parameters())
        self.d_params = list(self.critic.parameters())
        self.opt = torch.optim.Adam([{"params": self.g_params, "lr": 1e-3}, {"params": self.d_params, "lr": 2e-3}], betas=(0.5, 0.9))

    def generate(self, n):
        return self.generator(torch.randn(n, Z))

    def critic_inputs(self, fake):
        """Fresh points until the pool is full, half fresh and half old ones after that."""
        fresh = fake.detach()
        if not self.pool.full:
            return fresh
        past = self.pool.sample(len(fake) // 2)  # <- culprit
        return torch.cat([fresh[: len(fake) - len(past)], past])

    def critic_loss(self, real, fake):
        return (nn.functional.softplus(-self.critic(real)).mean()
                + nn.functional.softplus(self.critic(self.critic_inputs(fake))).mean())

    def generator_loss(self, fake):
        for p in self.d_params:
            p.requires_grad_(False)
        loss = nn.functional.softplus(-self.critic(fake)).mean()
        for p in self.d_params:
            p.requires_grad_(True)
        return loss

    def step(self, real):
        fake = self.generate(len(real))
        d_loss = self.critic_loss(real, fake)
        g_loss = self.generator_loss(fake)
        self.opt.zero_grad()
        (d_loss + g_loss).backward()
        self.opt.step()
        self.pool.push(fake)  # <- culprit
        return d_loss.item(), g_loss.item()


def blobs(n):
    centre = torch.tensor([[1.5, 0.0], [-1.5, 0.0], [0.0, 1.5]])
    return centre[torch.randint(3, (n,))] + 0.15 * torch.randn(n, 2)


def main():
    torch.manual_seed(14)
    gan = BlobGan(FakePool(capacity=400, rng=random.Random(0)))
    for step in range(STEPS):
        d, g = gan.step(blobs(BATCH))
        if step % 10 == 0:
            print(f"{step:3d} critic {d:.4f} generator {g:.4f}")


if __name__ == "__main__":
    main()
