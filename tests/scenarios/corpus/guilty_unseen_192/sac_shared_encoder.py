# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Pixel-free SAC-AE: critic and actor read one shared encoder."""
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
import torch.nn.functional as F


class Batch(NamedTuple):
    obs: Tensor
    act: Tensor
    rew: Tensor
    nxt: Tensor


@dataclass
class Cfg:
    updates: int = 400
    obs_dim: int = 10
    act_dim: int = 3
    latent: int = 16
    alpha: float = 0.1
    gamma: float = 0.98
    tau: float = 0.01
    lr: float = 1e-3


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = mlp(cfg.latent, 2 * cfg.act_dim)

    def forward(self, z):
        mu, log_std = self.net(z).chunk(2, -1)
        dist = torch.distributions.Normal(mu, log_std.clamp(-4, 1).exp())
        u = dist.rsample()
        a = u.tanh()
        return a, (dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1)


class SAC:
    def __init__(self, cfg):
        self.cfg = cfg
        self.encoder, self.target_encoder = mlp(cfg.obs_dim, cfg.latent), mlp(cfg.obs_dim, cfg.latent)
        self.q, self.target_q = mlp(cfg.latent + cfg.act_dim, 1), mlp(cfg.latent + cfg.act_dim, 1)
        self.actor = Actor(cfg)
        self.q_opt = torch.optim.Adam([*self.encoder.parameters(), *self.q.parameters()], lr=cfg.lr)
        self.pi_opt = torch.optim.Adam(self.actor.parameters(), lr=cfg.lr)

    def critic_loss(self, z, b):
        with torch.no_grad():
            zn = self.target_encoder(b.nxt)
            an, logp = self.actor(zn)
            target = b.rew + self.cfg.gamma * (self.target_q(torch.cat([zn, an], -1)).squeeze(-1) - self.cfg.alpha * logp)
        return F.mse_loss(self.q(torch.cat([z, b.act], -1)).squeeze(-1), target)

    def actor_loss(self, z):
        a, logp = self.actor(z)
        return (self.cfg.alpha * logp - self.q(torch.cat([z, a], -1)).squeeze(-1)).mean()

    def update(self, b):
        z = self.encoder(b.obs)
        critic_loss = self.critic_loss(z, b)
        self.q_opt.zero_grad()
        critic_loss.backward()
        self.q_opt.step()

        actor_loss = self.actor_loss(z)  # <- culprit
        self.pi_opt.zero_grad()
        actor_loss.backward()
        self.pi_opt.step()

        with torch.no_grad():
            for net, tgt in ((self.encoder, self.target_encoder), (self.q, self.target_q)):
                for p, t in zip(net.parameters(), tgt.parameters()):
                    t.lerp_(p, self.cfg.tau)
        return critic_loss.item(), actor_loss.item()


def replay(cfg, n=64):
    gen = torch.Generator().manual_seed(1)
    while True:
        obs = torch.randn(n, cfg.obs_dim, generator=gen)
        act = torch.rand(n, cfg.act_dim, generator=gen) * 2 - 1
        nxt = 0.9 * obs + 0.1 * F.pad(act, (0, cfg.obs_dim - cfg.act_dim))
        yield Batch(obs, act, -nxt.pow(2).mean(-1), nxt)


if __name__ == "__main__":
    cfg = Cfg()
    torch.manual_seed(0)
    agent = SAC(cfg)
    for i, batch in zip(range(cfg.updates), replay(cfg)):
        losses = agent.update(batch)
        if i % 50 == 0:
            print(i, losses)
