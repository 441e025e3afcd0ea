# gradwatch-corpus: kind=none
"""Stateful LSTM over a river-gauge stream; the span of each segment is drawn at random."""
import random

import torch
from torch import nn

torch.manual_seed(8)
random.seed(8)


class GaugeModel(nn.Module):
    def __init__(self, inputs=4, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(inputs, hidden)
        self.readout = nn.Linear(hidden, 1)

    def blank(self, batch):
        z = torch.zeros(batch, self.cell.hidden_size)
        return z, z.clone()


class Segment:
    """What has been run since the last update."""

    def __init__(self):
        self.total = 0.0
        self.length = 0
        self.span = random.choice((4, 7, 11, 19))

    def extend(self, loss):
        self.total = self.total + loss
        self.length += 1

    def due(self, rain):
        return self.length >= self.span or (self.length > 3 and rain > 2.2)


def stream(batch=8, length=4200):
    state = torch.zeros(batch)
    for _ in range(length):
        rain = torch.randn(batch, 3).relu()
        state = 0.92 * state + 0.2 * rain.sum(1)
        yield torch.cat([rain, state[:, None] + 0.1 * torch.randn(batch, 1)], dim=1), state.clone()


def main():
    model = GaugeModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    state = model.blank(8)
    segment, updates = Segment(), 0
    smoothed = None
    for x, level in stream():
        state = model.cell(x, state)
        prediction = model.readout(state[0]).squeeze(1)
        segment.extend(nn.functional.mse_loss(prediction, level))
        if not segment.due(x[:, :3].max().item()):
            continue
        mean = segment.total / segment.length
        optimizer.zero_grad()
        mean.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        updates += 1
        smoothed = mean.item() if smoothed is None else 0.97 * smoothed + 0.03 * mean.item()
        if updates % 70 == 0:
            print(f"update {updates} span {segment.length} loss {smoothed:.4f}")
        state = tuple(s.detach() for s in state)
        segment = Segment()


if __name__ == "__main__":
    main()
