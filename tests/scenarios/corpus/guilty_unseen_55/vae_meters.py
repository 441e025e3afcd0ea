# gradwatch-corpus: kind=graph-held
# holder: self._sum | m._sum | self.board["kl"]._sum | trainer.board["kl"]._sum | self[name]._sum
# first-bad: 1
"""VAE on synthetic strokes, with a board of named meters."""
from collections import UserDict

import torch
import torch.nn.functional as F
from torch import nn


class Meter:
    def __init__(self, fmt="{:.3f}"):
        self.fmt = fmt
        self.reset()

    def reset(self):
        self._sum = 0.0
        self._n = 0

    @property
    def value(self):
        return float(torch.as_tensor(self._sum).detach()) / max(self._n, 1)

    @value.setter
    def value(self, v):
        self._sum = self._sum + v  # <- culprit
        self._n += 1

    def __str__(self):
        return self.fmt.format(self.value)


class Board(UserDict):
    def __missing__(self, name):
        self.data[name] = Meter()
        return self.data[name]

    def note(self, **values):
        for name, v in values.items():
            self[name].value = v  # <- culprit

    def line(self):
        return "  ".join(f"{k}={m}" for k, m in sorted(self.data.items()))

    def reset(self):
        for m in self.values():
            m.reset()


class VAE(nn.Module):
    def __init__(self, d=36, h=48, z=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Linear(h, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ELU(), nn.Linear(h, d))

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, -1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        kl = -0.5 * (1 + logvar - mu.square() - logvar.exp()).sum(-1).mean()
        nll = F.binary_cross_entropy_with_logits(self.dec(z), x, reduction="none").sum(-1).mean()
        return nll, kl


def strokes(n, side=6):
    img = torch.zeros(n, side, side)
    at = torch.randint(side, (n,))
    flip = torch.rand(n) < 0.5
    rows = torch.arange(n)
    img[rows[flip], at[flip], :] = 1.0
    img[rows[~flip], :, at[~flip]] = 1.0
    return img.flatten(1)


class Trainer:
    def __init__(self, model, warm=40):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.board = Board()
        self.warm = warm
        self.it = 0

    def step(self, x):
        nll, kl = self.model(x)
        beta = min(1.0, (self.it + 1) / self.warm)
        loss = nll + beta * kl
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        gnorm = nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.opt.step()
        self.board.note(nll=nll.item(), kl=kl, gnorm=gnorm.item())  # <- culprit
        self.it += 1

    def epoch(self, data, size=64):
        for idx in torch.randperm(len(data)).split(size):
            self.step(data[idx])
        print(f"it {self.it}  {self.board.line()}")
        self.board.reset()


def main():
    torch.manual_seed(4)
    data = strokes(1920)
    trainer = Trainer(VAE())
    for _ in range(3):
        trainer.epoch(data)


if __name__ == "__main__":
    main()
