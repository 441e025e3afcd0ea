import torch
import torch.nn as nn
from torch.distributions import Normal, kl_divergence


class Agent(nn.Module):
    def __init__(self, obs=3, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, width), nn.Tanh())
        self.mean = nn.Linear(width, 1)
        self.value = nn.Linear(width, 1)
        self.log_std = nn.Parameter(torch.full((1,), -0.5))

    def policy(self, obs):
        h = self.trunk(obs)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(-1)

    @staticmethod
    def freeze(dist):
        return Normal(dist.loc.detach(), dist.scale.detach())

    def loss(self, batch, reference=None, clip=0.2):
        dist, value = self.policy(batch.obs)
        ratio = (dist.log_prob(batch.actions).squeeze(-1) - batch.log_probs).exp()
        surrogate = torch.minimum(ratio * batch.advantages, ratio.clamp(1 - clip, 1 + clip) * batch.advantages)
        loss = -surrogate.mean() + 0.5 * (value - batch.returns).pow(2).mean() - 0.003 * dist.entropy().mean()
        if reference is not None:
            loss = loss + 1e-3 * kl_divergence(reference, dist).mean()
        return loss, dist
