import torch
from torch import nn
from torch.distributions import Categorical


class WadingAgent(nn.Module):
    def __init__(self, obs_dim, n_actions, gamma=0.97):
        super().__init__()
        self.torso = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh())
        self.pi = nn.Linear(32, n_actions)
        self.v = nn.Linear(32, 1)
        self.gamma = gamma
        self.trail = []
        self.gains = []
        self.opt = torch.optim.Adam(self.parameters(), lr=1e-2)

    @property
    def length(self):
        return len(self.gains)

    def act(self, obs):
        h = self.torso(torch.tensor(obs))
        choice = Categorical(logits=self.pi(h))
        move = choice.sample()
        self.trail.append((choice.log_prob(move), self.v(h).squeeze(0), choice.entropy()))
        return move.item()

    def reward(self, r):
        self.gains.append(r)

    def learn(self):
        ret, returns = 0.0, []
        for r in reversed(self.gains):
            ret = r + self.gamma * ret
            returns.append(ret)
        returns = torch.tensor(returns[::-1])
        logp, value, entropy = map(torch.stack, zip(*self.trail))
        edge = returns - value
        objective = -(logp * edge.detach()).mean() + 0.5 * edge.square().mean() - 0.01 * entropy.mean()
        self.opt.zero_grad()
        objective.backward()
        self.opt.step()
        report = {"objective": objective.detach(), "entropy": entropy.mean().item()}
        del self.trail[:], self.gains[:]
        return report
