import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs, actions, width=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs, width), nn.Tanh())
        self.pi = nn.Linear(width, actions)
        self.v = nn.Linear(width, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)

    def act(self, obs):
        dist, value = self(obs)
        action = dist.sample()
        return action, dist.log_prob(action).detach(), value.detach()


def clipped_objective(policy, batch, clip=0.2, vf=0.5, ent=0.01):
    obs, act, old, adv, ret = batch
    dist, value = policy(obs)
    ratio = (dist.log_prob(act) - old).exp()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    surrogate = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
    return -surrogate + vf * (value - ret).pow(2).mean() - ent * dist.entropy().mean()
