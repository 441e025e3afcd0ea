# gradwatch-corpus: kind=inplace-modified
# first-bad: 3
"""Remaining useful life from sensor sequences. Attention pooling over time; readings from a sensor
that is reported as dead must not get any weight."""
import torch
from torch import nn


class DeadSensorFeed:
    def __init__(self, n_sensors, length, p_dead, seed):
        self.n_sensors = n_sensors
        self.length = length
        self.p_dead = p_dead
        self.gen = torch.Generator().manual_seed(seed)

    def __call__(self, n):
        life = torch.rand(n, generator=self.gen)
        t = torch.linspace(0, 1, self.length)
        wear = (t[None, :] / (life[:, None] + 0.2)).pow(2)
        gain = torch.linspace(0.5, 1.5, self.n_sensors)
        x = wear[:, :, None] * gain + 0.1 * torch.randn(n, self.length, self.n_sensors, generator=self.gen)
        dead = torch.zeros(n, self.length, dtype=torch.bool)
        if torch.rand((), generator=self.gen) < self.p_dead:
            rows = torch.randint(n, (3,), generator=self.gen)
            dead[rows, self.length // 2:] = True
            x[dead] = 0.0
        return x, dead, life


class AttentionPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.query = nn.Parameter(torch.randn(dim) * dim ** -0.5)

    def forward(self, z, dead):
        weight = torch.softmax(torch.tanh(self.key(z)) @ self.query, dim=1)
        if dead.any():
            weight[dead] = 0.0  # <- culprit
            weight = weight / weight.sum(dim=1, keepdim=True)
        return (weight[..., None] * z).sum(dim=1)


class RulNet(nn.Module):
    def __init__(self, n_sensors, dim=24):
        super().__init__()
        self.embed = nn.Linear(n_sensors, dim)
        self.mix = nn.Conv1d(dim, dim, 3, padding=1)
        self.pool = AttentionPool(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, x, dead):
        z = torch.relu(self.embed(x))
        z = torch.relu(self.mix(z.transpose(1, 2))).transpose(1, 2)
        return self.out(self.pool(z, dead)).squeeze(1)


def asymmetric(pred, life):
    d = pred - life
    late = torch.exp(torch.clamp(d, min=0) / 0.2) - 1
    early = torch.exp(torch.clamp(-d, min=0) / 0.4) - 1
    return (late + early).mean()


def train(steps=120):
    torch.manual_seed(5)
    feed = DeadSensorFeed(n_sensors=8, length=40, p_dead=0.12, seed=9)
    net = RulNet(8)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        x, dead, life = feed(32)
        loss = asymmetric(net(x, dead), life)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print("step", step, "score", round(loss.item(), 4), flush=True)


train()
