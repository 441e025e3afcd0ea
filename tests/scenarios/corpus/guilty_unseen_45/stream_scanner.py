# gradwatch-corpus: kind=graph-chain
# holder: self.state | self.mixer.state | model.mixer.state | mixer.state
# first-bad: 1
"""Stateful diagonal state-space model read along one long sensor stream."""
import math

import torch
from torch import nn


def sensor_stream(total, channels, seed=2):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(total) / 25.0
    freq = torch.rand(channels, generator=g) * 3 + 0.3
    phase = torch.rand(channels, generator=g) * math.pi
    clean = torch.sin(t[:, None] * freq + phase) + 0.3 * torch.sin(2.7 * t[:, None] * freq)
    return clean + 0.05 * torch.randn(total, channels, generator=g)


class DiagonalSSM(nn.Module):
    """x' = a*x + B u, y = C x + D u with a fixed HiPPO-like spectrum."""

    def __init__(self, channels, n_state=32):
        super().__init__()
        dt = torch.exp(torch.linspace(math.log(1e-2), math.log(0.5), n_state))
        self.register_buffer("decay", torch.exp(-dt))
        self.B = nn.Linear(channels, n_state, bias=False)
        self.C = nn.Linear(n_state, channels, bias=False)
        self.D = nn.Parameter(torch.zeros(channels))
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, u):
        batch, length, _ = u.shape
        x = self.state  # <- culprit
        if x is None:
            x = u.new_zeros(batch, self.decay.numel())
        drive = self.B(u)
        ys = []
        for k in range(length):
            x = self.decay * x + drive[:, k]
            ys.append(x)
        self.state = x  # <- culprit
        return self.C(torch.stack(ys, dim=1)) + self.D * u


class StreamForecaster(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.mixer = DiagonalSSM(channels)
        self.head = nn.Sequential(nn.Linear(channels, 32), nn.GELU(), nn.Linear(32, channels))

    def forward(self, u):
        y = self.mixer(u)
        return y + self.head(y)


class StreamLoader:
    """Cuts the stream into parallel lanes and serves consecutive windows."""

    def __init__(self, stream, lanes, window):
        per = len(stream) // lanes
        self.lanes = stream[:per * lanes].view(lanes, per, -1)
        self.window = window

    def __len__(self):
        return (self.lanes.shape[1] - 1) // self.window

    def __iter__(self):
        for i in range(len(self)):
            s = i * self.window
            yield self.lanes[:, s:s + self.window], self.lanes[:, s + 1:s + self.window + 1]


def fit(model, loader, opt, passes):
    seen = 0
    for p in range(passes):
        model.mixer.reset()
        running = 0.0
        for u, target in loader:
            opt.zero_grad()
            err = (model(u) - target).square().mean()
            err.backward(retain_graph=True)  # <- culprit
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            running += err.item()
            seen += 1
        print(f"pass {p} windows {seen} mse {running / len(loader):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = sensor_stream(total=8 * 645, channels=6)
    model = StreamForecaster(6)
    fit(model, StreamLoader(data, lanes=8, window=8),
        torch.optim.AdamW(model.parameters(), lr=3e-3), passes=1)
