# gradwatch-corpus: kind=none
"""Streaming pitch tracker trained by truncated backpropagation: the recording never ends, the
recurrent state goes on from window to window. Appendix B, online variant."""
import math

import torch
import torch.nn as nn

torch.manual_seed(88)

LANES = 5           # parallel recordings
HOP = 20            # samples a frame
FRAMES = 5          # frames a chunk
CHUNKS = 3          # chunks a window
WIDTH = 32
UPDATES = 260
RATE = 1000.0


def recording(lane_seed):
    """One endless recording with a wandering pitch, as a generator of (chunk, pitch)."""
    g = torch.Generator().manual_seed(lane_seed)
    phase, pitch = 0.0, 60.0 + 5 * lane_seed
    while True:
        frames, labels = [], []
        for _ in range(FRAMES):
            pitch += 3.0 * torch.randn((), generator=g).item()
            pitch = min(max(pitch, 40.0), 160.0)
            t = torch.arange(HOP) / RATE
            frame = torch.sin(2 * math.pi * pitch * t + phase) + 0.1 * torch.randn(HOP, generator=g)
            phase = (phase + 2 * math.pi * pitch * HOP / RATE) % (2 * math.pi)
            frames.append(frame)
            labels.append(pitch / 100.0)
        yield torch.stack(frames), torch.tensor(labels)


class Tracker(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Sequential(nn.Linear(HOP, WIDTH), nn.Tanh())
        self.cell = nn.GRUCell(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        self.state = None

    def forward(self, chunk):
        if self.state is None:
            self.state = chunk.new_zeros(chunk.size(0), WIDTH)
        preds = []
        for frame in self.front(chunk).unbind(1):
            self.state = self.cell(frame, self.state)
            preds.append(self.out(self.state).squeeze(-1))
        return torch.stack(preds, 1)

    def cut(self):
        self.state = self.state.detach()


lanes = [recording(s) for s in range(LANES)]


def next_chunk():
    chunks, labels = zip(*(next(lane) for lane in lanes))
    return torch.stack(chunks), torch.stack(labels)


tracker = Tracker()
opt = torch.optim.Adam(tracker.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, UPDATES)
curve = []
total = 0.0

for update in range(UPDATES):
    window_loss = 0.0
    previous = None
    for _ in range(CHUNKS):
        x, pitch = next_chunk()
        pred = tracker(x)
        window_loss = window_loss + (pred - pitch).pow(2).mean()
        if previous is not None:
            window_loss = window_loss + 0.1 * (pred[:, 0] - previous).pow(2).mean()
        previous = pred[:, -1]
    window_loss = window_loss / CHUNKS

    opt.zero_grad()
    window_loss.backward()
    nn.utils.clip_grad_norm_(tracker.parameters(), 1.0)
    opt.step()
    sched.step()
    tracker.cut()

    total += window_loss.detach()
    curve.append(window_loss.item())
    if update % 65 == 64:
        print(f"{update:4d}  window loss {curve[-1]:.4f}  mean so far {total.item() / (update + 1):.4f}")

with torch.no_grad():
    x, pitch = next_chunk()
    err = (tracker(x) - pitch).abs().mean().item() * 100
print(f"mean error on the next chunk: {err:.1f} Hz")
