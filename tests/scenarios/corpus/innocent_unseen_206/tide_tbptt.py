# gradwatch-corpus: kind=none
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class TideLSTM(nn.Module):
    def __init__(self, stations=5, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(stations, hidden)
        self.head = nn.Linear(hidden, stations)
        self.hidden = hidden

    def start(self):
        return torch.zeros(1, self.hidden), torch.zeros(1, self.hidden)

    def forward(self, x, state):
        h, c = self.cell(x, state)
        return self.head(h), (h, c)


def tide_series(length, stations, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length).float()
    periods = torch.tensor([12.42, 12.0, 25.82])
    amp = torch.rand(stations, 3, generator=g)
    phase = torch.rand(stations, 3, generator=g) * 6.28
    waves = torch.sin(6.2832 * t[:, None, None] / periods + phase) * amp
    return waves.sum(-1) + 0.05 * torch.randn(length, stations, generator=g)


class Streamer:
    def __init__(self, k=8):
        self.model = TideLSTM()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.k = k
        self.state = self.model.start()
        self.window = []
        self.losses = []
        self.last_states = deque(maxlen=16)

    def cut(self):
        self.state = tuple(s.detach() for s in self.state)

    def observe(self, now, nxt):
        pred, self.state = self.model(now.unsqueeze(0), self.state)
        self.window.append(F.mse_loss(pred.squeeze(0), nxt))
        self.last_states.append(self.state[0].detach())
        if len(self.window) == self.k:
            self.flush()

    def flush(self):
        total = torch.stack(self.window).mean()
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.losses.append(total.item())
        self.window.clear()
        self.cut()


def main():
    torch.manual_seed(0)
    series = tide_series(3601, 5, seed=3)
    streamer = Streamer()
    for t in range(3600):
        streamer.observe(series[t], series[t + 1])
        if t % 600 == 599:
            drift = torch.cat(list(streamer.last_states)).std(0).mean().item()
            tail = streamer.losses[-30:]
            print(t + 1, f"mse {sum(tail) / len(tail):.4f} state spread {drift:.3f}")


if __name__ == "__main__":
    main()
