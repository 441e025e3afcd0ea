# gradwatch-corpus: kind=graph-chain
# holder: self._mu | model.norm._mu | self.norm._mu | self.mu | self.norm.mu
# first-bad: 1
# notice: 5
"""Streaming phone classifier with a learned front end and running cepstral mean."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)


class Smoothed:
    """Attribute that follows what is assigned to it with inertia."""

    def __init__(self, inertia):
        self.inertia = inertia

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else obj.__dict__.get(self.slot)

    def __set__(self, obj, value):
        old = obj.__dict__.get(self.slot)
        if old is not None:
            value = value.lerp(old, self.inertia)
        obj.__dict__[self.slot] = value  # <- culprit


class CepstralMean(nn.Module):
    mu = Smoothed(inertia=0.95)

    def forward(self, z):
        if self.training:
            self.mu = z.mean((0, 1))  # <- culprit
        return z - self.mu


class FrontEnd(nn.Module):
    def __init__(self, n_fft=40, n_out=16):
        super().__init__()
        self.bank = nn.Linear(n_fft, n_out)

    def forward(self, spec):
        return self.bank(spec)


class PhoneNet(nn.Module):
    def __init__(self, phones=10):
        super().__init__()
        self.front = FrontEnd()
        self.norm = CepstralMean()
        self.body = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, phones))

    def forward(self, spec):
        return self.body(self.norm(self.front(spec)))


class Stream:
    def __init__(self, chunks, phones=10, dim=40):
        self.chunks = chunks
        self.voice = torch.rand(phones, dim)

    def __iter__(self):
        for _ in range(self.chunks):
            y = torch.randint(len(self.voice), (4, 15))
            yield self.voice[y] + 0.2 * torch.rand(4, 15, self.voice.shape[1]), y


class Recipe:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def loss(self, spec, y):
        return F.cross_entropy(self.model(spec).flatten(0, 1), y.flatten())

    def update(self, spec, y):
        loss = self.loss(spec, y)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return loss.item()


def main():
    rec = Recipe(PhoneNet(), lr=3e-3)
    acc = 0.0
    for k, (spec, y) in enumerate(Stream(100), 1):
        acc += rec.update(spec, y)
        if k % 25 == 0:
            print(k, round(acc / 25, 4))
            acc = 0.0


if __name__ == "__main__":
    main()
