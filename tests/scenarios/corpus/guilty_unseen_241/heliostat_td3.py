# gradwatch-corpus: kind=second-backward
# first-bad: 2
"""Aim-point control of a heliostat field: twin critics, delayed policy, one sky encoder."""
import copy
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Glint(NamedTuple):
    sky: torch.Tensor
    aim: torch.Tensor
    yield_: torch.Tensor
    sky_next: torch.Tensor


@dataclass
class FieldSpec:
    sky_dim: int = 10
    aim_dim: int = 4
    latent: int = 32
    policy_every: int = 3
    gamma: float = 0.8
    tau: float = 0.02
    batch: int = 64


class ReceiverSim:
    def __init__(self, spec, seed):
        self.spec = spec
        self.rng = torch.Generator().manual_seed(seed)
        self.mirror = torch.randn(spec.sky_dim, spec.aim_dim, generator=self.rng) / 3
        self.sky = torch.randn(spec.sky_dim, generator=self.rng)

    def expose(self, aim):
        ideal = torch.tanh(self.sky @ self.mirror)
        power = torch.exp(-(aim - ideal).pow(2).sum())
        old = self.sky
        self.sky = 0.9 * old + 0.4 * torch.randn(old.shape, generator=self.rng)
        return Glint(old, aim, power, self.sky)


class GlintStore:
    def __init__(self, size, seed):
        self.rows = deque(maxlen=size)
        self.rng = torch.Generator().manual_seed(seed)

    def add(self, glint):
        self.rows.append(glint)

    def sample(self, n):
        idx = torch.randint(0, len(self.rows), (n,), generator=self.rng).tolist()
        return Glint(*(torch.stack(col) for col in zip(*(self.rows[i] for i in idx))))


def mlp(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 48), nn.ReLU(), nn.Linear(48, n_out))


class AimAgent:
    def __init__(self, spec):
        self.spec = spec
        self.encoder = nn.Sequential(nn.Linear(spec.sky_dim, spec.latent), nn.LayerNorm(spec.latent), nn.Tanh())
        self.twins = nn.ModuleList(mlp(spec.latent + spec.aim_dim, 1) for _ in range(2))
        self.policy = nn.Sequential(mlp(spec.latent, spec.aim_dim), nn.Tanh())
        self.lagged = copy.deepcopy(nn.ModuleList([self.encoder, self.twins, self.policy])).requires_grad_(False)
        self.critic_opt = torch.optim.Adam([*self.encoder.parameters(), *self.twins.parameters()], lr=1e-3)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=5e-4)
        self.updates = 0

    @torch.no_grad()
    def aim(self, sky, jitter=0.2):
        out = self.policy(self.encoder(sky))
        return (out + jitter * torch.randn_like(out)).clamp(-1, 1)

    @torch.no_grad()
    def bootstrap(self, glints):
        encoder, twins, policy = self.lagged
        z = encoder(glints.sky_next)
        pair = torch.cat([z, policy(z)], dim=-1)
        worst = torch.min(twins[0](pair), twins[1](pair)).squeeze(-1)
        return glints.yield_ + self.spec.gamma * worst

    def critic_loss(self, z, glints):
        pair = torch.cat([z, glints.aim], dim=-1)
        goal = self.bootstrap(glints)
        return sum(F.mse_loss(q(pair).squeeze(-1), goal) for q in self.twins)

    def policy_loss(self, z):
        pair = torch.cat([z, self.policy(z)], dim=-1)
        return -self.twins[0](pair).mean()

    def update(self, glints):
        z = self.encoder(glints.sky)  # <- culprit
        critic = self.critic_loss(z, glints)
        self.critic_opt.zero_grad()
        critic.backward()
        self.critic_opt.step()
        self.updates += 1
        if self.updates % self.spec.policy_every == 0:
            policy = self.policy_loss(z)  # <- culprit
            self.policy_opt.zero_grad()
            policy.backward()
            self.policy_opt.step()
            self.trail()
        return critic.item()

    @torch.no_grad()
    def trail(self):
        live = nn.ModuleList([self.encoder, self.twins, self.policy])
        for slow, fast in zip(self.lagged.parameters(), live.parameters()):
            slow.lerp_(fast, self.spec.tau)


def main():
    torch.manual_seed(23)
    spec = FieldSpec()
    sim = ReceiverSim(spec, seed=23)
    store = GlintStore(2000, seed=24)
    agent = AimAgent(spec)
    for _ in range(100):
        store.add(sim.expose(agent.aim(sim.sky, jitter=1.0)))
    for minute in range(150):
        store.add(sim.expose(agent.aim(sim.sky)))
        loss = agent.update(store.sample(spec.batch))
        if minute % 25 == 0:
            print(f"minute {minute:3d} critic {loss:.4f}")


if __name__ == "__main__":
    main()
