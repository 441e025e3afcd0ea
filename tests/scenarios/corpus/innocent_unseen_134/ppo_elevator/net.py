import torch
from torch import nn
from torch.distributions import Categorical


class Dispatcher(nn.Module):
    def __init__(self, obs, actions, width=20):
        super().__init__()
        self.width = width
        self.cell = nn.GRUCell(obs, width)
        self.pi = nn.Linear(width, actions)
        self.v = nn.Linear(width, 1)

    def step(self, obs, h):
        h = self.cell(obs, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h

    def replay(self, obs, starts, h):
        logits, values = [], []
        for o, s in zip(obs, starts):
            h = h * (1 - s.float())[:, None]
            d, v, h = self.step(o, h)
            logits.append(d.logits)
            values.append(v)
        return Categorical(logits=torch.stack(logits)), torch.stack(values)
