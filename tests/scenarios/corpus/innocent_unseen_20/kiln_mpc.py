# gradwatch-corpus: kind=none
"""System identification of a rotary kiln from a running sensor stream: a recurrent
soft sensor trained by truncated backpropagation, its memory carried from chunk to chunk."""
import math

import torch
from torch import nn

torch.manual_seed(64)

CHUNK = 6
KILNS = 10
SENSORS = 5


class CarriedStateMixin:
    """State that outlives a chunk by value only."""

    _carried = None

    @property
    def memory(self):
        if self._carried is None:
            self._carried = self.blank_memory()
        return self._carried

    @memory.setter
    def memory(self, value):
        self._carried = tuple(part.detach() for part in value)

    def blank_memory(self):
        raise NotImplementedError


class SoftSensor(CarriedStateMixin, nn.Module):
    def __init__(self, hidden=28):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.LSTMCell(SENSORS, hidden)
        self.temperature = nn.Linear(hidden, 1)
        self.forecast = nn.Linear(hidden, SENSORS)

    def blank_memory(self):
        return torch.zeros(KILNS, self.hidden), torch.zeros(KILNS, self.hidden)

    def forward(self, chunk):
        h, c = self.memory
        temps, nexts = [], []
        for reading in chunk:
            h, c = self.cell(reading, (h, c))
            temps.append(self.temperature(h))
            nexts.append(self.forecast(h))
        self.memory = (h, c)
        return torch.stack(temps), torch.stack(nexts)


def kiln_stream(seed=2):
    """Yields (readings, burning-zone temperature) chunk by chunk, forever."""
    gen = torch.Generator().manual_seed(seed)
    mixing = torch.randn(3, SENSORS, generator=gen)
    state = torch.randn(KILNS, 3, generator=gen)
    tick = 0
    while True:
        readings, zone = [], []
        for _ in range(CHUNK + 1):
            feed = math.sin(0.05 * tick)
            drive = torch.stack([state[:, 1], -0.6 * state[:, 0] + feed, state[:, 0] - 0.3 * state[:, 2]], dim=1)
            state = (state + 0.1 * drive).clamp(-3, 3)
            noise = 0.05 * torch.randn(KILNS, SENSORS, generator=gen)
            readings.append(torch.tanh(state @ mixing) + noise)
            zone.append(state[:, 2:3])
            tick += 1
        yield torch.stack(readings), torch.stack(zone)


class TwoHeadedUpdate:
    """Both heads share the recurrent graph, but the forecasting head may only
    contribute a clipped gradient, so each head is differentiated by itself."""

    def __init__(self, model, lr=3e-3, forecast_clip=0.2):
        self.model = model
        self.params = list(model.parameters())
        self.forecast_clip = forecast_clip
        self.opt = torch.optim.Adam(self.params, lr=lr)

    def __call__(self, temp_loss, forecast_loss):
        main_grads = torch.autograd.grad(temp_loss, self.params, retain_graph=True, allow_unused=True)
        aux_grads = torch.autograd.grad(forecast_loss, self.params, allow_unused=True)
        norm = math.sqrt(sum(float(g.pow(2).sum()) for g in aux_grads if g is not None))
        scale = min(1.0, self.forecast_clip / (norm + 1e-9))
        for p, a, b in zip(self.params, main_grads, aux_grads):
            if a is None and b is None:
                p.grad = None
            elif a is None:
                p.grad = scale * b
            elif b is None:
                p.grad = a
            else:
                p.grad = a + scale * b
        self.opt.step()
        return norm


def identify(chunks=260):
    model = SoftSensor()
    update = TwoHeadedUpdate(model)
    curve = []
    for k, (readings, zone) in zip(range(chunks), kiln_stream()):
        temps, nexts = model(readings[:-1])
        temp_loss = (temps - zone[:-1]).pow(2).mean()
        forecast_loss = (nexts - readings[1:]).pow(2).mean()
        norm = update(temp_loss, forecast_loss)
        curve.append(temp_loss.item())
        if k % 65 == 0:
            print(f"chunk {k:4d}  zone {curve[-1]:.4f}  forecast {forecast_loss.item():.4f}  |g| {norm:.3f}")
    print("last 20 chunks:", round(sum(curve[-20:]) / 20, 4))


if __name__ == "__main__":
    identify()
