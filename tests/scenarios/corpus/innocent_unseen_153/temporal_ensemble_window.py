# gradwatch-corpus: kind=none
"""Video-ish regression: the loss of a chunk looks at the last few predictions (smoothness), chunk by chunk."""
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(18)


def clip(n_frames, d=10):
    pos = torch.cumsum(0.2 * torch.randn(n_frames, 2), 0)
    M = torch.linspace(-1, 1, 2 * d).view(2, d)
    return pos @ M + 0.3 * torch.randn(n_frames, d), pos


class Tracker(nn.Module):
    def __init__(self, d=10, window=4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 32), nn.ELU(), nn.Linear(32, 2))
        self.recent = deque(maxlen=window)

    def start(self):
        self.recent.clear()

    def forward(self, frame):
        p = self.net(frame)
        self.recent.append(p)
        return p

    def jerk(self):
        if len(self.recent) < 3:
            return torch.zeros(())
        a, b, c = list(self.recent)[-3:]
        return (a - 2 * b + c).pow(2).sum()


def run_clip(model, opt, frames, target, chunk=6):
    total = 0.0
    model.start()
    for s in range(0, len(frames), chunk):
        loss = 0.0
        for f, t in zip(frames[s:s + chunk], target[s:s + chunk]):
            p = model(f)
            loss = loss + (p - t).pow(2).sum() + 0.1 * model.jerk()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        model.recent = deque((p.detach() for p in model.recent), maxlen=model.recent.maxlen)
    return total / len(frames)


model = Tracker()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for k in range(20):
    frames, pos = clip(36)
    err = run_clip(model, opt, frames, pos)
    if k % 5 == 0:
        print("clip", k, "loss %.4f" % err)
