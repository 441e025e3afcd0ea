# gradwatch-corpus: kind=none
"""Energy-based model of 2-d particles; samples come from a persistent pool by Langevin steps."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(37)


class Energy(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class Pool:
    def __init__(self, size, restart=0.05):
        self.points = 2 * torch.randn(size, 2)
        self.restart = restart

    def take(self, count):
        index = torch.randperm(len(self.points))[:count]
        fresh = (torch.rand(count, 1) < self.restart).float()
        return index, fresh * 2 * torch.randn(count, 2) + (1 - fresh) * self.points[index]

    def put(self, index, points):
        self.points[index] = points


class Langevin:
    def __init__(self, rounds=8, step=0.1, noise=0.05, through_last=True):
        self.rounds, self.step, self.noise, self.through_last = rounds, step, noise, through_last

    def run(self, energy, x):
        """All rounds are cut from each other; the last keeps its graph for the KL term."""
        x = x.detach()
        for k in range(self.rounds):
            x.requires_grad_()
            last = self.through_last and k == self.rounds - 1
            force, = torch.autograd.grad(energy(x).sum(), x, create_graph=last)
            moved = x - self.step * force + self.noise * torch.randn_like(x)
            x = moved if last else moved.detach()
        return x


def ring(batch):
    angle = 6.2832 * torch.rand(batch)
    return torch.stack([2 * angle.cos(), 2 * angle.sin()], 1) + 0.1 * torch.randn(batch, 2)


class FrozenCopy:
    """The energy's parameters do not follow while the samples' own energy is lowered."""

    def __init__(self, energy):
        self.energy = energy

    def __enter__(self):
        self.energy.requires_grad_(False)

    def __exit__(self, *error):
        self.energy.requires_grad_(True)


def main(steps=100):
    energy, pool, chain = Energy(), Pool(200), Langevin()
    optimizer = torch.optim.Adam(energy.parameters(), lr=2e-3, betas=(0.0, 0.99))
    smooth = None
    for step in range(steps):
        data = ring(32)
        index, start = pool.take(32)
        samples = chain.run(energy, start)
        pool.put(index, samples.detach())
        positive, negative = energy(data), energy(samples.detach())
        with FrozenCopy(energy):
            reach = energy(samples).mean()
        loss = positive.mean() - negative.mean() + 0.01 * (positive ** 2 + negative ** 2).mean() + 0.1 * reach
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(energy.parameters(), 0.5)
        optimizer.step()
        gap = (negative.mean() - positive.mean()).item()
        smooth = gap if smooth is None else 0.95 * smooth + 0.05 * gap
        if step % 25 == 24:
            radius = pool.points.norm(dim=1)
            print(f"step {step + 1} gap {smooth:.4f} pool radius {radius.mean().item():.3f}")


if __name__ == "__main__":
    main()
