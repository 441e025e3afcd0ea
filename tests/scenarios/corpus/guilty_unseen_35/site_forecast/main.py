# gradwatch-corpus: kind=graph-chain
# holder: self._states[site].memory | store._states[site].memory | self._states[site] | store._states[site] | self._states | store._states | slot.state.memory | self.state.memory | slot.state | self.state | state.memory | memory
# first-bad: 1
import math

import torch
from torch import nn

from session import SessionStore

SITES = ["north", "harbour"]
CHUNK = 6
CHUNKS_PER_SITE = 45
LANES = 12
CHANNELS = 5
WIDTH = 24


class LeakyForecaster(nn.Module):
    """Bank of leaky integrators with a small read-out."""

    def __init__(self, channels, width):
        super().__init__()
        self.rate = nn.Parameter(torch.linspace(-1.0, 3.0, width))
        self.inlet = nn.Linear(channels, width)
        self.readout = nn.Sequential(nn.Tanh(), nn.Linear(width, channels))

    def forward(self, chunk, memory):
        keep = torch.sigmoid(self.rate)
        outputs = []
        for frame in chunk:
            memory = keep * memory + (1.0 - keep) * self.inlet(frame)
            outputs.append(self.readout(memory))
        return torch.stack(outputs), memory


def site_signal(seed, steps):
    gen = torch.Generator().manual_seed(seed)
    phase = torch.rand(LANES, CHANNELS, generator=gen) * 2 * math.pi
    freq = 0.1 + 0.2 * torch.rand(LANES, CHANNELS, generator=gen)
    t = torch.arange(steps).view(-1, 1, 1)
    clean = torch.sin(freq * t + phase)
    return clean + 0.05 * torch.randn(clean.shape, generator=gen)


def chunks(signal):
    for start in range(0, CHUNK * CHUNKS_PER_SITE, CHUNK):
        window = signal[start:start + CHUNK + 1]
        yield window[:-1], window[1:]


def fit_chunk(model, optimizer, store, site, x, y):
    with store.resume(site) as slot:
        forecast, memory = model(x, slot.state.memory)
        slot.advance(memory, len(x))  # <- culprit
    loss = nn.functional.smooth_l1_loss(forecast, y)
    optimizer.zero_grad(set_to_none=True)
    loss.backward(retain_graph=True)
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(3)
    model = LeakyForecaster(CHANNELS, WIDTH)
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    store = SessionStore(LANES, WIDTH)
    for number, site in enumerate(SITES):
        signal = site_signal(number, CHUNK * CHUNKS_PER_SITE + 1)
        total = 0.0
        for index, (x, y) in enumerate(chunks(signal)):
            total += fit_chunk(model, optimizer, store, site, x, y)
            if index % 15 == 14:
                print(f"{site}: chunk {index + 1:3d} mean loss {total / (index + 1):.4f}")
        store.close(site)


if __name__ == "__main__":
    main()
