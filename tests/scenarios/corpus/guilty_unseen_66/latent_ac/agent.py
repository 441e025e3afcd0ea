import copy

import torch
import torch.nn.functional as F
from torch import nn


class MLP(nn.Module):
    def __init__(self, *dims):
        super().__init__()
        layers = []
        for a, b in zip(dims, dims[1:]):
            layers += [nn.Linear(a, b), nn.ELU()]
        self.net = nn.Sequential(*layers[:-1])

    def forward(self, *xs):
        return self.net(torch.cat(xs, dim=-1))


class LatentAgent(nn.Module):
    """Latent dynamics model, with a critic and an actor that work on the latent state."""

    def __init__(self, obs, act, latent, gamma=0.97, tau=0.02):
        super().__init__()
        self.world = nn.ModuleDict({"enc": MLP(obs, 64, latent), "dyn": MLP(latent + act, 64, latent),
                                    "rew": MLP(latent + act, 64, 1)})
        self.critic = MLP(latent + act, 64, 64, 1)
        self.target_critic = copy.deepcopy(self.critic).requires_grad_(False)
        self.actor = MLP(latent, 64, act)
        self.gamma, self.tau = gamma, tau

    def act(self, obs):
        return torch.tanh(self.actor(self.world["enc"](obs)))

    def world_loss(self, s, a, r, s2):
        z = self.world["enc"](s)
        with torch.no_grad():
            z2 = self.world["enc"](s2)
        return F.mse_loss(self.world["dyn"](z, a), z2) + F.mse_loss(self.world["rew"](z, a).squeeze(-1), r)

    def critic_loss(self, s, a, r, s2):
        with torch.no_grad():
            z, z2 = self.world["enc"](s), self.world["enc"](s2)
            boot = self.target_critic(z2, torch.tanh(self.actor(z2))).squeeze(-1)
        return F.mse_loss(self.critic(z, a).squeeze(-1), r + self.gamma * boot)

    def actor_loss(self, s, a, r, s2):
        with torch.no_grad():
            z = self.world["enc"](s)
        return -self.critic(z, torch.tanh(self.actor(z))).mean()

    @torch.no_grad()
    def sync(self):
        for t, p in zip(self.target_critic.parameters(), self.critic.parameters()):
            t.lerp_(p, self.tau)
