from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Trajectory:
    logps: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def clear(self):
        self.logps.clear()
        self.rewards.clear()

    def returns(self, gamma):
        g, out = 0.0, []
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])


class Reinforce:
    def __init__(self, env, gamma=0.95):
        self.env, self.gamma = env, gamma
        self.policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 3))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.trajectory = Trajectory()
        self.baseline = 0.0

    def _play(self):
        obs, over = self.env.reset(), False
        while not over:
            pi = Categorical(logits=self.policy(obs))
            a = pi.sample()
            obs, r, over = self.env.step(a.item())
            self.trajectory.logps.append(pi.log_prob(a))
            self.trajectory.rewards.append(r)

    def learn(self):
        self._play()
        ret = self.trajectory.returns(self.gamma)
        objective = -((ret - self.baseline) * torch.stack(self.trajectory.logps)).sum()
        self.opt.zero_grad()
        objective.backward()
        self.opt.step()
        self.baseline += 0.05 * (ret[0].item() - self.baseline)
        self.trajectory.clear()
        return ret[0].item()
