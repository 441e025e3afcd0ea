# gradwatch-corpus: kind=none
"""Load forecasting: windowed truncated BPTT, one update per window of K chunks, state carried detached."""
import math

import torch
import torch.nn as nn

torch.manual_seed(29)


class LoadSeries:
    def __init__(self, zones):
        self.phase = torch.rand(zones) * 6.28
        self.amp = torch.rand(zones) + 0.5
        self.t = 0

    def next(self):
        def at(t):
            day = torch.sin(2 * math.pi * t / 24 + self.phase)
            week = 0.3 * math.cos(2 * math.pi * t / 168)
            return self.amp * (day + week)
        x, y = at(self.t), at(self.t + 1)
        self.t += 1
        return (x + 0.05 * torch.randn_like(x)).unsqueeze(-1), y.unsqueeze(-1)


class Forecaster(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.inp = nn.Linear(1, hidden)
        self.c1 = nn.LSTMCell(hidden, hidden)
        self.c2 = nn.LSTMCell(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x, st):
        a = self.c1(torch.relu(self.inp(x)), st[0])
        b = self.c2(a[0], st[1])
        return self.out(b[0]), (a, b)

    def zeros(self, n):
        z = lambda: (torch.zeros(n, self.c1.hidden_size), torch.zeros(n, self.c1.hidden_size))
        return z(), z()


def repackage(st):
    if torch.is_tensor(st):
        return st.detach()
    return tuple(repackage(s) for s in st)


def fit(windows=90, k=8):
    series, net = LoadSeries(12), Forecaster()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=15)
    state = net.zeros(12)
    best, smooth, pending = float("inf"), None, []
    for w in range(windows):
        for _ in range(k):
            x, y = series.next()
            pred, state = net(x, state)
            pending.append((pred - y).abs().mean())
        loss = torch.stack(pending).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        pending.clear()
        state = repackage(state)

        value = loss.item()
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        plateau.step(smooth)
        best = min(best, smooth)
        if w % 30 == 0:
            print(f"window {w} mae {value:.4f} smooth {smooth:.4f}")
    return best


if __name__ == "__main__":
    print("best", round(fit(), 4))
