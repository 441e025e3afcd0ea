# gradwatch-corpus: kind=none
"""Recurrent world model: the loss is summed over five chunks before each update."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    obs: int = 5
    deter: int = 20
    stoch: int = 4
    chunks: int = 5
    chunk_len: int = 1
    updates: int = 420


class RSSM(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.gru = nn.GRUCell(c.stoch, c.deter)
        self.prior = nn.Linear(c.deter, 2 * c.stoch)
        self.post = nn.Linear(c.deter + c.obs, 2 * c.stoch)
        self.dec = nn.Linear(c.deter + c.stoch, c.obs)

    @staticmethod
    def dist(raw):
        mu, s = raw.chunk(2, -1)
        return torch.distributions.Normal(mu, F.softplus(s) + 0.1, validate_args=False)

    def step(self, h, z, obs):
        h = self.gru(z, h)
        prior, post = self.dist(self.prior(h)), self.dist(self.post(torch.cat([h, obs], -1)))
        z = post.rsample()
        rec = F.mse_loss(self.dec(torch.cat([h, z], -1)), obs)
        kl = torch.distributions.kl_divergence(post, prior).sum(-1).mean()
        return h, z, rec + 0.1 * kl


def belief(model, c, batch):
    """Generator: receives a chunk of observations, gives its loss."""
    h, z = torch.zeros(batch, c.deter), torch.zeros(batch, c.stoch)
    loss = None
    while True:
        chunk = yield loss
        if chunk is None:
            h, z, loss = h.detach(), z.detach(), None
            continue
        losses = []
        for obs in chunk.unbind(1):
            h, z, l = model.step(h, z, obs)
            losses.append(l)
        loss = torch.stack(losses).mean()


def observations(c, batch, seed=13):
    g = torch.Generator().manual_seed(seed)
    mix = torch.randn(2, c.obs, generator=g)
    phase = 6.28 * torch.rand(batch, 1, generator=g)
    t = 0
    while True:
        steps = []
        for _ in range(c.chunk_len):
            t += 1
            a = phase + 0.2 * t
            steps.append(torch.cat([a.sin(), a.cos()], -1) @ mix)
        yield torch.stack(steps, 1)


def main():
    torch.manual_seed(0)
    c = Config()
    model = RSSM(c)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    worker, data = belief(model, c, 8), observations(c, 8)
    next(worker)
    curve = []
    for update in range(c.updates):
        total = 0.0
        for _ in range(c.chunks):
            total = total + worker.send(next(data))
        opt.zero_grad()
        (total / c.chunks).backward()
        opt.step()
        worker.send(None)
        curve.append(total.item() / c.chunks)
        if update % 70 == 0:
            print(update, round(curve[-1], 4), flush=True)


if __name__ == "__main__":
    main()
