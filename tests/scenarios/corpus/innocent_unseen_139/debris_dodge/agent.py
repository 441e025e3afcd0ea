import torch
from torch import nn


class Reinforce:
    def __init__(self, n_obs, n_act, gamma=0.9):
        self.net = nn.Sequential(nn.Linear(n_obs, 16), nn.Tanh(), nn.Linear(16, n_act))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.gamma = gamma
        self.moves, self.rewards = [], []

    def choose(self, obs):
        dist = torch.distributions.Categorical(logits=self.net(obs))
        act = dist.sample()
        self.moves.append(dist.log_prob(act))
        return act.item()

    def reward(self, r):
        self.rewards.append(r)

    def finish(self):
        loss, ret = torch.zeros(()), 0.0
        for logp, r in zip(reversed(self.moves), reversed(self.rewards)):
            ret = r + self.gamma * ret
            loss = loss - ret * logp
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        ticks = len(self.rewards)
        del self.moves[:], self.rewards[:]
        return ticks
