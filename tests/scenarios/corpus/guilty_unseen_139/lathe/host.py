"""Tool wear from spindle current: training host with a small plugin interface."""
from types import SimpleNamespace

import torch
from torch import nn


class WearModel(nn.Module):
    def __init__(self, n_in=8, code=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, 16), nn.ELU(), nn.Linear(16, code))
        self.decoder = nn.Linear(code, 1)

    def forward(self, current):
        code = self.encoder(current)
        return code, self.decoder(code).squeeze(-1)


class Host:
    def __init__(self, plugins):
        self.model = WearModel()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=1e-3)
        self.plugins = plugins
        self.state = SimpleNamespace(step=0, code=None, loss=None)

    def plugin(self, name):
        return next(p for p in self.plugins if p.name == name)

    def call(self, hook):
        for p in self.plugins:
            getattr(p, hook)(self)

    def run(self, steps):
        mix = torch.randn(8)
        for self.state.step in range(steps):
            current = torch.randn(20, 8)
            wear = torch.tanh(current @ mix)
            self.call("before_step")
            self.state.code, guess = self.model(current)
            loss = (guess - wear).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.state.loss = loss.item()
            self.call("after_step")
