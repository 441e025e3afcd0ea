# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    streams: int = 12
    chunk: int = 16
    hidden: int = 24
    chunks: int = 40
    epochs: int = 3
    tau: float = 0.95


def load_curves(s: Settings):
    t = torch.arange(s.chunk * s.chunks + 1).float()
    phase = torch.rand(s.streams, 1) * 24
    daily = torch.sin((t + phase) * 2 * torch.pi / 24)
    weekly = 0.5 * torch.sin((t + phase) * 2 * torch.pi / 168)
    return (daily + weekly + 0.1 * torch.randn(s.streams, len(t))).unsqueeze(-1)


class Forecaster(nn.Module):
    def __init__(self, s: Settings):
        super().__init__()
        self.gru = nn.GRU(1, s.hidden, batch_first=True)
        self.out = nn.Linear(s.hidden, 1)
        self.tau = s.tau
        self.state = None
        self.register_buffer("scale", torch.ones(1))

    def begin(self):
        self.state = None

    def forward(self, x):
        if self.state is not None:
            self.state = self.state.detach()
        y, self.state = self.gru(x, self.state)
        return self.out(y)

    def scaled_error(self, pred, target):
        err = (pred - target).abs()
        self.scale = self.tau * self.scale + (1 - self.tau) * err.mean().detach()
        return (err / (self.scale + 1e-3)).mean()


def train(model, data, s):
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(s.epochs):
        model.begin()
        total = 0.0
        for c in range(s.chunks):
            lo = c * s.chunk
            x, y = data[:, lo:lo + s.chunk], data[:, lo + 1:lo + s.chunk + 1]
            pred = model(x)
            loss = model.scaled_error(pred, y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.detach()
        print(f"epoch {epoch} scaled {float(total) / s.chunks:.3f} mae {model.scale.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(2)
    cfg = Settings()
    curves = load_curves(cfg)
    train(Forecaster(cfg), curves, cfg)
