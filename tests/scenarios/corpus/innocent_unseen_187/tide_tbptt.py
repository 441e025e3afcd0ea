# gradwatch-corpus: kind=none
import math
import random

import torch
from torch import nn


class TideCell(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.cell = nn.GRUCell(3, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.out(h).squeeze(-1), h


class TideGauges:
    """Water levels at several harbours, streamed hour by hour."""

    def __init__(self, harbours, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(harbours, generator=self.gen) * 6
        self.surge = torch.zeros(harbours)
        self.hour = 0

    def level(self, hour):
        m2 = torch.sin(2 * math.pi * hour / 12.42 + self.phase)
        s2 = 0.3 * torch.sin(2 * math.pi * hour / 12.0 + 2 * self.phase)
        return m2 + s2 + self.surge

    def next_hour(self):
        self.surge = 0.9 * self.surge + 0.05 * torch.randn(len(self.phase), generator=self.gen)
        now = self.level(self.hour)
        clock = torch.tensor([math.sin(self.hour / 4), math.cos(self.hour / 4)])
        x = torch.cat([now[:, None], clock.expand(len(now), 2)], 1)
        self.hour += 1
        return x, self.level(self.hour)


def window_lengths(rng, low=3, high=14):
    while True:
        yield rng.randint(low, high)


def main():
    torch.manual_seed(31)
    rng = random.Random(31)
    gauges, model = TideGauges(6, 31), TideCell()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    state = torch.zeros(6, 16)
    lengths = window_lengths(rng)
    for update in range(420):
        window_loss, trace = 0.0, []
        length = next(lengths)
        for _ in range(length):
            x, target = gauges.next_hour()
            pred, state = model(x, state)
            window_loss = window_loss + (pred - target).pow(2).mean()
            trace.append(pred)
        loss = window_loss / length
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        state = state.detach()
        if update % 80 == 0:
            swing = torch.stack(trace).std().item()
            print(f"update {update} hours {gauges.hour} loss {loss.item():.4f} swing {swing:.3f}")


if __name__ == "__main__":
    main()
