import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, obs=4, actions=4, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class A2CAgent:
    def __init__(self, gamma=0.97, beta=0.01):
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.gamma, self.beta = gamma, beta

    @torch.no_grad()
    def act(self, obs):
        dist, _ = self.net(torch.tensor(obs))
        return dist.sample().item()

    def update(self, obs, actions, rewards):
        returns, g = [], 0.0
        for r in reversed(rewards):
            g = r + self.gamma * g
            returns.insert(0, g)
        returns = torch.tensor(returns)
        dist, value = self.net(torch.tensor(obs))
        adv = returns - value.detach()
        policy_loss = -(dist.log_prob(torch.tensor(actions)) * adv).mean()
        value_loss = F.smooth_l1_loss(value, returns)
        entropy = dist.entropy().mean()
        loss = policy_loss + 0.5 * value_loss - self.beta * entropy
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        return {"return": sum(rewards), "loss": loss.item(), "value_loss": value_loss.item(), "entropy": entropy}  # <- culprit
