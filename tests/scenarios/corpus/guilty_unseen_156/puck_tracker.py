# gradwatch-corpus: kind=graph-chain
# holder: belief | tracker
# first-bad: 1
# notice: 5
# Air hockey: follow the puck through occlusions, online, from a 12x12 overhead camera.
import itertools
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)

GRID = 12


def video(gen):
    """Endless frames with a bouncing blob; every now and then a mallet hides it."""
    pos = torch.tensor([0.3, 0.6])
    vel = torch.tensor([0.05, 0.033])
    axis = torch.linspace(0, 1, GRID)
    for t in itertools.count():
        pos = pos + vel
        flip = (pos < 0.05) | (pos > 0.95)
        vel = torch.where(flip, -vel, vel)
        pos = pos.clamp(0.05, 0.95)
        dist = (axis[:, None] - pos[0]) ** 2 + (axis[None, :] - pos[1]) ** 2
        frame = torch.exp(-dist / 0.01)
        if t % 9 in (6, 7):
            frame = frame * 0.0
        yield frame + 0.05 * torch.randn(GRID, GRID, generator=gen), pos.clone()


class Eye(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.patch = nn.Conv2d(1, 4, 4, stride=4)
        self.proj = nn.Linear(36, dim)

    def forward(self, frame):
        z = torch.relu(self.patch(frame[None, None]))
        return self.proj(z.flatten(1))


def follow(eye, cell, head, frames, dim=16):
    belief = torch.zeros(1, dim)
    for frame, where in frames:
        belief = cell(eye(frame), belief)  # <- culprit
        yield torch.sigmoid(head(belief)).squeeze(0), where


def sgd(params, lr, decay=1e-4):
    for p in params:
        if p.grad is not None:
            p.data.mul_(1 - decay).sub_(p.grad, alpha=lr)
            p.grad = None


def clip(params, limit):
    total = math.sqrt(sum(float(p.grad.pow(2).sum()) for p in params if p.grad is not None))
    if total > limit:
        for p in params:
            if p.grad is not None:
                p.grad.mul_(limit / total)
    return total


eye, cell, head = Eye(), nn.GRUCell(16, 16), nn.Linear(16, 2)
weights = [*eye.parameters(), *cell.parameters(), *head.parameters()]
frames = video(torch.Generator().manual_seed(8))

tracker = follow(eye, cell, head, frames)
recent = []
for t, (guess, where) in enumerate(itertools.islice(tracker, 90)):
    loss = (guess - where).pow(2).sum()
    loss.backward(retain_graph=True)
    clip(weights, 1.0)
    sgd(weights, lr=0.3)
    recent.append(math.sqrt(loss.item()))
    if t % 15 == 14:
        print(f"frame {t + 1:3d}  miss {sum(recent) / len(recent):.3f}")
        recent.clear()
