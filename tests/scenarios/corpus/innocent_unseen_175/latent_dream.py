# gradwatch-corpus: kind=none
"""Recurrent world model of an orbiting body, trained on a stream in truncated windows."""
import itertools

import torch
from torch import nn


def telescope(batch, seed):
    """Endless noisy observations of rotating points, and their angular kicks."""
    g = torch.Generator().manual_seed(seed)
    ang = 6.28 * torch.rand(batch, generator=g)
    while True:
        kick = 0.3 * torch.randn(batch, generator=g)
        ang = ang + 0.1 + kick
        obs = torch.stack([ang.cos(), ang.sin()], 1)
        yield obs + 0.02 * torch.randn(batch, 2, generator=g), kick.unsqueeze(1)


def windows(stream, k):
    while True:
        yield list(itertools.islice(stream, k))


class WorldModel(nn.Module):
    def __init__(self, det=24, sto=6):
        super().__init__()
        self.det, self.sto = det, sto
        self.cell = nn.GRUCell(sto + 1, det)
        self.prior = nn.Linear(det, 2 * sto)
        self.post = nn.Linear(det + 2, 2 * sto)
        self.decode = nn.Linear(det + sto, 2)

    def initial(self, batch):
        return torch.zeros(batch, self.det), torch.zeros(batch, self.sto)

    @staticmethod
    def gaussian(stats):
        m, s = stats.chunk(2, -1)
        return torch.distributions.Normal(m, nn.functional.softplus(s) + 0.05)

    def observe(self, state, obs, action):
        h, z = state
        h = self.cell(torch.cat([z, action], -1), h)
        p = self.gaussian(self.prior(h))
        q = self.gaussian(self.post(torch.cat([h, obs], -1)))
        z = q.rsample()
        recon = (self.decode(torch.cat([h, z], -1)) - obs).pow(2).sum(-1).mean()
        kl = torch.distributions.kl_divergence(q, p).sum(-1).mean().clamp_min(0.3)
        return (h, z), recon, kl


class StreamTrainer:
    def __init__(self, batch=16, window=6):
        self.model = WorldModel()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.feed = windows(telescope(batch, seed=2), window)
        self.state = self.model.initial(batch)

    def step(self):
        loss, recons = 0.0, []
        state = self.state
        for obs, action in next(self.feed):
            state, recon, kl = self.model.observe(state, obs, action)
            loss = loss + recon + 0.1 * kl
            recons.append(recon)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.state = tuple(s.detach() for s in state)
        self.last = torch.stack(recons)
        return self.last.mean().item()


if __name__ == "__main__":
    torch.manual_seed(2)
    trainer = StreamTrainer()
    for i in range(420):
        r = trainer.step()
        if i % 70 == 0:
            print(f"window {i:3d} recon {r:.4f}")
