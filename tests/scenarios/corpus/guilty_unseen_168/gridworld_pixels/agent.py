import numpy as np
import torch
from torch import nn

from trail import Trail


class Agent:
    def __init__(self, shape, actions, horizon, gamma=0.95):
        self.horizon = horizon
        self.gamma = gamma
        self.trail = Trail()
        self.body = nn.Sequential(nn.Conv2d(shape[0], 8, 8, stride=8), nn.ReLU(),
                                  nn.Flatten(), nn.LazyLinear(32), nn.ReLU())
        self.pi = nn.Linear(32, actions)
        self.v = nn.Linear(32, 1)
        self.body(torch.zeros(1, *shape))
        params = [*self.body.parameters(), *self.pi.parameters(), *self.v.parameters()]
        self.opt = torch.optim.RMSprop(params, lr=5e-4)

    @torch.no_grad()
    def act(self, frame):
        logits = self.pi(self.body(torch.from_numpy(frame)[None]))
        return int(torch.distributions.Categorical(logits=logits).sample())

    def returns(self, steps, frame):
        with torch.no_grad():
            value = self.v(self.body(torch.from_numpy(frame)[None])).item()
        out = []
        for s in reversed(steps):
            value = s.reward + self.gamma * value * (not s.done)
            out.append(value)
        return torch.tensor(out[::-1])

    def learn(self, frame):
        steps = self.trail.last(self.horizon)
        h = self.body(torch.from_numpy(np.stack([s.frame for s in steps])))
        value = self.v(h).squeeze(1)
        adv = self.returns(steps, frame) - value
        dist = torch.distributions.Categorical(logits=self.pi(h))
        logp = dist.log_prob(torch.tensor([s.action for s in steps]))
        loss = (0.5 * adv.pow(2) - logp * adv.detach() - 0.01 * dist.entropy()).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
