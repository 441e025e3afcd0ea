"""Modules whose forward, property, hook or step hands on what it has cut."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import mse_loss

from .common import data


class Rounding(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.outer = nn.Linear(4, 1)

    def encode(self, x):
        hidden = self.inner(x)
        return torch.tanh(hidden)

    def forward(self, x):
        code = self.encode(x)
        return torch.from_numpy(self.outer(code).detach().numpy())  # <- in_the_forward_of_a_module


def in_the_forward_of_a_module():
    net, criterion = Rounding(), nn.MSELoss()
    x, y = data()
    criterion(net(x), y).backward()


class Ensemble(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 1), "b": nn.Linear(4, 1)})

    def forward(self, x):
        out = torch.stack([head(x) for head in self.heads.values()])
        return out.mean(0).detach()  # <- what_many_heads_give


def what_many_heads_give():
    net = Ensemble()
    loss = mse_loss(net(data()[0]), torch.ones(8, 1))
    loss.backward()


class Variational(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(4, 4), nn.Linear(2, 1)

    @staticmethod
    def sample(mean, scale):
        return mean + scale.exp() * torch.randn_like(mean)

    def forward(self, x):
        mean, scale = self.encoder(x).chunk(2, -1)
        drawn = self.sample(mean, scale)
        return self.decoder(drawn).data  # <- behind_a_method_that_is_called_like_one_of_torchs


def behind_a_method_that_is_called_like_one_of_torchs():
    net = Variational()
    loss = net(data()[0]).pow(2).mean()
    loss.backward()


class Lens(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)
        self.x = torch.randn(8, 4)

    @property
    def seen(self):
        return self.layer(self.x).detach()  # <- what_a_property_gives


def what_a_property_gives():
    lens = Lens()
    loss = lens.seen.pow(2).mean()
    loss.backward()


SEEN = []


def note(_module, _given, out):
    SEEN.append(out.detach())  # <- what_a_hook_puts_by


def what_a_hook_puts_by():
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    handle = net[0].register_forward_hook(note)
    x, _ = data()
    net(x)
    handle.remove()
    loss = SEEN[-1].pow(2).mean()
    loss.backward()


class Range:
    def __init__(self):
        self.most = 0.0

    def __call__(self, module, given, out):
        seen = out.detach()
        self.most = max(self.most, seen.max().item())
        return seen.clamp(-self.most, self.most)  # <- what_a_hook_puts_in_its_place


def what_a_hook_puts_in_its_place():
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    net[2].register_forward_hook(Range())
    x, y = data()
    loss = mse_loss(net(x), y)
    loss.backward()


class Module(nn.Module):
    def training_step(self, batch):
        raise NotImplementedError


class Regression(Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 1)])
        self.criterion = nn.MSELoss()
        self.seen = []

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def log(self, name, value):
        self.seen.append((name, float(value)))
        return value.data  # <- in_what_a_step_hands_to_the_trainer

    def training_step(self, batch):
        x, y = batch
        loss = self.criterion(self(x), y)
        return self.log("loss", loss)


class Trainer:
    def __init__(self, module):
        self.module = module
        self.optimizer = torch.optim.SGD(module.parameters(), 0.1)

    def fit(self, batches):
        for batch in batches:
            loss = self.module.training_step(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def in_what_a_step_hands_to_the_trainer():
    Trainer(Regression()).fit([data(), data()])
