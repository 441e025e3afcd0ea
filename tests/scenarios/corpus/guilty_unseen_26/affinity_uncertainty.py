# gradwatch-corpus: kind=memory-climb
# holder: self.states | experiment.states
# first-bad: 1
# after: choderalab/pinot issue 23 "memory leak in pinot.TrainAndTest?" (a state dictionary per iteration in `states`)
"""Binding affinity with predictive variance; all iterates are kept so that any of them may be tested later."""
import copy
import math

import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, bits=512, width=256):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bits, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.mean, self.log_var = nn.Linear(width, 1), nn.Linear(width, 1)

    def condition(self, x):
        h = self.body(x)
        return torch.distributions.Normal(self.mean(h), torch.exp(0.5 * self.log_var(h).clamp(-6, 6)))

    def loss(self, x, y):
        return -self.condition(x).log_prob(y).mean()


class Experiment:
    def run(self):
        raise NotImplementedError


class Train(Experiment):
    def __init__(self, net, data, optimizer, n_steps):
        self.net, self.data, self.optimizer, self.n_steps = net, data, optimizer, n_steps
        self.states = {}
        self.losses = []

    def train_once(self, x, y):
        self.optimizer.zero_grad()
        loss = self.net.loss(x, y)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss.item())

    def run(self):
        for i in range(self.n_steps):
            self.train_once(*self.data(i))
            self.states[i] = copy.deepcopy(self.net.state_dict())  # <- culprit
        return {"states": self.states, "losses": self.losses}


class Test(Experiment):
    def __init__(self, net, data, states):
        self.net, self.data, self.states = net, data, states

    @torch.no_grad()
    def run(self):
        keep, out = copy.deepcopy(self.net.state_dict()), {}
        for name, state in list(self.states.items())[:: max(1, len(self.states) // 5)]:
            self.net.load_state_dict(state)
            out[name] = self.net.loss(*self.data(10_000)).item()
        self.net.load_state_dict(keep)
        return out


def fingerprints(bits=512, batch=192):
    g = torch.Generator().manual_seed(77)
    w = torch.randn(bits, 1, generator=g) / math.sqrt(bits)

    def draw(i):
        gi = torch.Generator().manual_seed(int(i))
        x = (torch.rand(batch, bits, generator=gi) < 0.1).float()
        return x, x @ w + 0.2 * torch.randn(batch, 1, generator=gi)
    return draw


if __name__ == "__main__":
    torch.manual_seed(0)
    net, data = Regressor(), fingerprints()
    experiment = Train(net, data, torch.optim.Adam(net.parameters(), lr=1e-3), n_steps=260)
    result = experiment.run()
    print("last nll", sum(result["losses"][-20:]) / 20)
    print(Test(net, data, result["states"]).run())
