import torch
from torch import nn
from torch.distributions import Categorical


class BanditTask:
    def __init__(self, seed, obs=6, actions=4):
        gen = torch.Generator().manual_seed(seed)
        self.table = torch.randn(obs, actions, generator=gen)
        self.obs = obs

    def sample(self, n):
        return torch.randn(n, self.obs)

    def pay(self, obs, action):
        return (obs @ self.table).gather(1, action[:, None]).squeeze(1)


class Agent:
    def __init__(self, trunk, task, actions=4, width=20):
        self.trunk = trunk
        self.task = task
        self.actor = nn.Linear(width, actions)
        self.critic = nn.Linear(width, 1)
        params = [*trunk.parameters(), *self.actor.parameters(), *self.critic.parameters()]
        self.opt = torch.optim.RMSprop(params, lr=2e-3)
        self.mean_reward = 0.0

    def rollout(self, n):
        obs = self.task.sample(n)
        hidden = self.trunk(obs)
        dist = Categorical(logits=self.actor(hidden))
        action = dist.sample()
        reward = self.task.pay(obs, action)
        value = self.critic(hidden).squeeze(1)
        advantage = (reward - value).detach()
        policy = -(dist.log_prob(action) * advantage).mean()
        self.mean_reward = reward.mean().item()
        return policy + 0.5 * (reward - value).pow(2).mean() - 0.01 * dist.entropy().mean()

    def update(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()  # <- culprit
