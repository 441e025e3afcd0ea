# gradwatch-corpus: kind=none
"""Streaming anomaly scores with a recurrent coroutine and windows of truncated backpropagation."""
from itertools import chain, cycle, islice, pairwise

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(13)


class Forecaster(nn.Module):
    def __init__(self, channels=4, hidden=20):
        super().__init__()
        self.cell = nn.LSTMCell(channels, hidden)
        self.out = nn.Linear(hidden, channels)

    def stream(self, batch, window):
        """Send in readings, get back forecasts; the state lives in here."""
        h = torch.zeros(batch, self.cell.hidden_size)
        c = torch.zeros_like(h)
        forecast, seen = None, 0
        while True:
            x = yield forecast
            if seen and seen % window == 0:
                h, c = h.detach(), c.detach()
            h, c = self.cell(x, (h, c))
            forecast = self.out(h)
            seen += 1


def readings(batch=8, channels=4):
    phase = torch.rand(batch, channels) * 6.28
    for t in chain(range(200), cycle(range(200, 400))):
        yield torch.sin(0.15 * t + phase) + 0.05 * torch.randn(batch, channels)


def windows(pairs, size):
    pairs = iter(pairs)
    while block := list(islice(pairs, size)):
        yield block


def main():
    window = 7
    model = Forecaster()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    forecaster = model.stream(batch=8, window=window)
    next(forecaster)
    series = pairwise(readings())
    for i, block in enumerate(islice(windows(series, window), 100)):
        errors = [F.mse_loss(forecaster.send(now), later) for now, later in block]
        loss = torch.stack(errors).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if i % 25 == 24:
            print(f"window {i + 1} mse {loss.item():.4f} worst {max(e.item() for e in errors):.4f}")
    forecaster.close()


if __name__ == "__main__":
    main()
