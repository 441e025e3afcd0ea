# gradwatch-corpus: kind=none
"""Stateful LSTM on tide levels; state and error history go over the window borders."""
import math

import torch
from torch import nn


def tide(n, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n).float()
    level = sum(a * torch.sin(2 * math.pi * t / p) for a, p in [(1, 12.4), (0.4, 23.9), (0.2, 354.0)])
    return level + 0.05 * torch.randn(n, generator=g)


def repackage(state):
    if torch.is_tensor(state):
        return state.detach()
    return tuple(repackage(s) for s in state)


class TideNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.rnn = nn.LSTM(1, hidden, 2)
        self.mean = nn.Linear(hidden, 1)
        self.log_sd = nn.Linear(hidden, 1)

    def forward(self, x, state):
        h, state = self.rnn(x, state)
        return self.mean(h), self.log_sd(h).clamp(-4, 2), state


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.state = None
        self.history = []
        self.tail = None
        self.running = 0.0

    def window(self, x, y):
        if self.state is not None:
            self.state = repackage(self.state)
        mu, log_sd, self.state = self.model(x, self.state)
        nll = (log_sd + 0.5 * ((y - mu) / log_sd.exp()).pow(2)).mean()
        smooth = torch.zeros(())
        if self.tail is not None:
            smooth = (mu[0] - self.tail).pow(2).mean()
        self.opt.zero_grad()
        (nll + 0.01 * smooth).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.tail = mu[-1].detach()
        self.running = 0.98 * self.running + 0.02 * nll.item()
        self.history.append(self.running)

    def restart(self):
        self.state, self.tail = None, None


def main():
    torch.manual_seed(2)
    x = tide(6000, 2).view(3, 2000, 1).transpose(0, 1)
    trainer = Trainer(TideNet(), 3e-3)
    width = 10
    for epoch in range(3):
        trainer.restart()
        for s in range(0, 2000 - width - 1, width):
            trainer.window(x[s:s + width], x[s + 1:s + 1 + width])
        print(f"epoch {epoch} nll {trainer.history[-1]:.4f} over {len(trainer.history)} windows")


if __name__ == "__main__":
    main()
