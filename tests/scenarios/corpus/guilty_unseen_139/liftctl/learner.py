import torch
from torch import nn
from torch.distributions import Categorical

from .rollout import Rollout


class ActorCritic(nn.Module):
    def __init__(self, obs_dim, actions=3, hidden=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, obs):
        z = self.trunk(obs)
        return Categorical(logits=self.actor(z)), self.critic(z).squeeze(-1)


class A2C:
    def __init__(self, obs_dim, horizon, gamma=0.97):
        self.net = ActorCritic(obs_dim)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.rollout = Rollout(horizon)
        self.gamma = gamma

    def collect(self, env, obs):
        total = 0.0
        for _ in range(self.rollout.horizon):
            dist, value = self.net(obs)
            action = dist.sample()
            obs, reward = env.step(action.item())
            self.rollout.add(dist, action, value, reward)
            total += reward
        return obs, total

    def update(self, last_obs):
        ro = self.rollout
        with torch.no_grad():
            tail = self.net(last_obs)[1].item()
        goal = torch.tensor(ro.returns(tail, self.gamma))
        value = torch.stack(ro.values)
        logp = torch.stack(ro.logps)
        bonus = torch.stack(ro.entropies[-ro.horizon:]).mean()
        adv = goal - value
        loss = -(adv.detach() * logp).mean() + 0.5 * adv.pow(2).mean() - 0.01 * bonus
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        ro.clear()
