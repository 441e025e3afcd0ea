import torch
from torch import nn
from torch.distributions import Categorical

from .history import Episode, History


class Net(nn.Module):
    def __init__(self, obs_dim, n_actions, width=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, width), nn.Tanh())
        self.pi = nn.Linear(width, n_actions)
        self.v = nn.Linear(width, 1)

    def forward(self, o):
        z = self.body(o)
        return Categorical(logits=self.pi(z), validate_args=False), self.v(z).squeeze(-1)


class Learner:
    def __init__(self, obs_dim, n_actions, gamma=0.97):
        self.net = Net(obs_dim, n_actions)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.gamma = gamma
        self.history = History()

    def play(self, env):
        ep, obs, done = Episode(), env.reset(), False
        while not done:
            dist, value = self.net(torch.from_numpy(obs))
            act = dist.sample()
            obs, rew, done = env.step(act.item())
            ep.add(dist, act, value, rew)
        self.history.record(ep)  # <- culprit
        return ep

    def improve(self, ep):
        ret, g = [], 0.0
        for s in reversed(ep.steps):
            g = s.reward + self.gamma * g
            ret.append(g)
        ret = torch.tensor(ret[::-1]) / 10
        value = ep.column("value")
        adv = (ret - value).detach()
        loss = -(ep.column("logp") * adv).mean() + 0.5 * (ret - value).pow(2).mean()
        loss = loss - 0.01 * ep.column("entropy").mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
