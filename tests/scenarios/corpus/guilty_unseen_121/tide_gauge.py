# gradwatch-corpus: kind=graph-held
# holder: self.val_curve | fitter.val_curve | Fitter.val_curve
# first-bad: 10
# notice: 8
"""Surge forecast for a tide gauge: dilated convolutions over the last 32 hours."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)


def synth_levels(hours):
    t = torch.arange(hours, dtype=torch.float32)
    m2 = torch.sin(2 * math.pi * t / 12.42)
    k1 = 0.4 * torch.sin(2 * math.pi * t / 23.93 + 0.7)
    surge = torch.cumsum(0.05 * torch.randn(hours), 0)
    return m2 + k1 + surge - 0.02 * torch.cumsum(surge, 0) / hours


class SurgeNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Conv1d(1 if d == 1 else width, width, 2, dilation=d) for d in (1, 2, 4)
        )
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = x.unsqueeze(1)
        for conv in self.layers:
            h = torch.relu(conv(h))
        return self.out(h[..., -1]).squeeze(-1)


class Fitter:
    def __init__(self, net, series, span=32, every=10):
        self.net = net
        self.span = span
        self.every = every
        frames = series.unfold(0, span + 1, 1)
        cut = int(0.8 * len(frames))
        self.train_frames, self.test_frames = frames[:cut], frames[cut:][:64]
        self.opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
        self.crit = nn.SmoothL1Loss()
        self.val_curve = []

    def assess(self):
        self.net.eval()
        out = self.net(self.test_frames[:, :-1])
        err = self.crit(out, self.test_frames[:, -1])
        self.net.train()
        return err

    def after_step(self, k):
        if (k + 1) % self.every:
            return
        self.val_curve.append((k, self.assess()))  # <- culprit
        if (k + 1) % 150 == 0:
            _, err = self.val_curve[-1]
            print(f"step {k + 1:4d}  held-out {err.item():.4f}")

    def fit(self, steps):
        for k in range(steps):
            pick = torch.randint(len(self.train_frames), (16,))
            batch = self.train_frames[pick]
            loss = self.crit(self.net(batch[:, :-1]), batch[:, -1])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.after_step(k)
        best = min(self.val_curve, key=lambda kv: float(kv[1]))
        return best[0], float(best[1])


if __name__ == "__main__":
    fitter = Fitter(SurgeNet(), synth_levels(700))
    where, value = fitter.fit(800)
    print("best held-out error", round(value, 4), "at", where)
