import torch
from torch import nn
from torch.distributions import Categorical


class PGAgent:
    def __init__(self, n_obs, n_act, lr, clip):
        self.policy = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.optim = torch.optim.RMSprop(self.policy.parameters(), lr=lr)
        self.clip = clip
        self.baseline = 0.0

    def act(self, obs):
        dist = Categorical(logits=self.policy(obs))
        action = dist.sample()
        return action.item(), dist.log_prob(action)  # <- culprit

    def update(self, batch):
        obs = torch.stack([t.obs for t in batch])
        act = torch.tensor([t.action for t in batch])
        rew = torch.tensor([t.reward for t in batch])
        behaviour = torch.stack([t.log_prob for t in batch]).detach()
        new = Categorical(logits=self.policy(obs)).log_prob(act)
        ratio = (new - behaviour).exp().clamp(max=self.clip)
        self.baseline = 0.95 * self.baseline + 0.05 * rew.mean().item()
        loss = -(ratio * (rew - self.baseline)).mean()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return loss.item()
