import torch
from torch import nn
from torch.distributions import Normal

from replay import Replay


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.Tanh(), nn.Linear(h, o))


class Agent:
    def __init__(self, obs_dim, act_dim, gamma=0.9):
        self.actor = mlp(obs_dim, act_dim)
        self.critic = mlp(obs_dim, 1)
        self.gamma = gamma
        self.buffer = Replay(capacity=5000)
        self.optim = torch.optim.Adam([*self.actor.parameters(), *self.critic.parameters()], lr=1e-3)

    def policy(self, obs):
        return Normal(self.actor(obs), 0.4)

    def act(self, obs):
        dist = self.policy(obs)
        action = dist.sample()
        self.last = obs, action, dist.log_prob(action).sum(-1)  # <- culprit
        return action

    def observe(self, reward, next_obs):
        self.buffer.push(*self.last, reward, next_obs)  # <- culprit

    def update(self, n=24):
        obs, action, old_logp, reward, next_obs = self.buffer.sample(n)
        value = self.critic(obs).squeeze(-1)
        with torch.no_grad():
            target = reward + self.gamma * self.critic(next_obs).squeeze(-1)
        adv = (target - value).detach()
        ratio = (self.policy(obs).log_prob(action).sum(-1) - old_logp).exp()
        pg = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
        loss = pg + 0.5 * (target - value).pow(2).mean()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return {"pg": round(pg.item(), 3), "ratio": round(ratio.mean().item(), 3)}
