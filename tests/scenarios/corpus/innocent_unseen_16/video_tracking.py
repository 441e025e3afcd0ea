# gradwatch-corpus: kind=none
"""Single-object tracking with a recurrent correlation head, truncated backpropagation over windows of five frames.

The tracker keeps what is pending for the current window and closes the window itself.
"""
import collections

import torch
import torch.nn.functional as F
from torch import nn


class Scene:
    """A bright square bouncing around; every call gives the next frame and the box centre."""

    def __init__(self, seed, size=20):
        self.gen = torch.Generator().manual_seed(seed)
        self.size = size
        self.pos = torch.rand(2, generator=self.gen) * (size - 6) + 3
        self.vel = torch.randn(2, generator=self.gen)
        ax = torch.arange(size).float()
        self.y, self.x = torch.meshgrid(ax, ax, indexing="ij")

    def advance(self):
        self.vel += 0.2 * torch.randn(2, generator=self.gen)
        self.vel.clamp_(-2, 2)
        self.pos = self.pos + self.vel
        hit = (self.pos < 3) | (self.pos > self.size - 4)
        self.vel = torch.where(hit, -self.vel, self.vel)
        self.pos = self.pos.clamp(3, self.size - 4)
        box = ((self.y - self.pos[0]).abs() < 2) & ((self.x - self.pos[1]).abs() < 2)
        frame = box.float() + 0.15 * torch.randn(self.size, self.size, generator=self.gen)
        return frame, self.pos / self.size


class TrackerNet(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.see = nn.Sequential(nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.ReLU(), nn.Flatten(),
                                 nn.Linear(600, dim))
        self.cell = nn.GRUCell(dim, dim)
        self.where = nn.Linear(dim, 2)

    def forward(self, frame, hidden):
        hidden = self.cell(self.see(frame), hidden)
        return torch.sigmoid(self.where(hidden)), hidden


class Tracker:
    def __init__(self, scenes, window=5, dim=32):
        self.scenes = scenes
        self.window = window
        self.net = TrackerNet(dim)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.hidden = torch.zeros(len(scenes), dim)
        self.pending = []
        self.trail = collections.deque(maxlen=30)
        self.errors = []

    def observe(self):
        frames, centres = zip(*(s.advance() for s in self.scenes))
        guess, self.hidden = self.net(torch.stack(frames).unsqueeze(1), self.hidden)
        truth = torch.stack(centres)
        self.pending.append(F.smooth_l1_loss(guess, truth))
        self.trail.append((guess.detach(), truth))

    def close_window(self):
        loss = torch.stack(self.pending).mean()
        self.optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optim.step()
        self.pending.clear()
        self.hidden = self.hidden.detach()
        self.errors.append(loss.item())

    def drift(self):
        """Mean distance over the last frames, in shares of the picture."""
        return sum(float((g - t).norm(dim=1).mean()) for g, t in self.trail) / len(self.trail)

    def run(self, windows):
        for w in range(windows):
            for _ in range(self.window):
                self.observe()
            self.close_window()
            if (w + 1) % 60 == 0:
                recent = sum(self.errors[-60:]) / 60
                print(f"window {w + 1}: loss {recent:.5f}, drift {self.drift():.3f}")


if __name__ == "__main__":
    torch.manual_seed(2)
    torch.set_num_threads(1)
    Tracker([Scene(seed=s) for s in range(4)]).run(240)
