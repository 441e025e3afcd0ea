import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, n_obs, n_actions, gamma=0.95):
        super().__init__()
        self.gamma = gamma
        self.trunk = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU())
        self.pi = nn.Linear(32, n_actions)
        self.v = nn.Linear(32, 1)
        self.value_opt = torch.optim.SGD([*self.trunk.parameters(), *self.v.parameters()], lr=0.01)
        self.policy_opt = torch.optim.Adam([*self.trunk.parameters(), *self.pi.parameters()], lr=1e-3)

    def act(self, obs):
        h = self.trunk(obs)
        dist = torch.distributions.Categorical(logits=self.pi(h))  # <- culprit
        action = dist.sample()
        return action.item(), dist.log_prob(action), self.v(h).squeeze(-1)

    def learn_value(self, value, reward, next_obs):
        with torch.no_grad():
            target = reward + self.gamma * self.v(self.trunk(next_obs)).squeeze(-1)
        loss = (value - target).pow(2)
        self.value_opt.zero_grad()
        loss.backward(retain_graph=True)
        self.value_opt.step()  # <- culprit

    def learn_policy(self, log_probs, rewards):
        returns, g = [], 0.0
        for r in reversed(rewards):
            g = r + self.gamma * g
            returns.append(g)
        returns = torch.tensor(returns[::-1])
        adv = (returns - returns.mean()) / (returns.std() + 1e-6)
        loss = -(torch.stack(log_probs) * adv).mean()
        self.policy_opt.zero_grad()
        loss.backward()  # <- culprit
        self.policy_opt.step()
