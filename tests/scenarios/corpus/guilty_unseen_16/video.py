# gradwatch-corpus: kind=graph-chain
# holder: self.slots | memory.slots | model.memory.slots | self.memory.slots
# first-bad: 1
"""Streaming action recognition with an external slot memory over frozen frame features.

The two heads are backpropagated one after the other because we want their gradient norms apart.
"""
from __future__ import annotations

from typing import Iterator, NamedTuple, Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Clip(NamedTuple):
    frames: Tensor      # (T, 3, 16, 16)
    action: Tensor      # ()
    following: Tensor   # (3, 16, 16)


class ClipSource(Protocol):
    def __iter__(self) -> Iterator[Clip]: ...


class Memory(Protocol):
    def write(self, features: Tensor) -> None: ...
    def read(self, query: Tensor) -> Tensor: ...


class MovingBlobs:
    """One endless synthetic camera: a blob drifts; the drift direction is the action."""

    DIRS = [(0, 1), (1, 0), (0, -1), (-1, 0)]

    def __init__(self, seed: int, length: int = 8):
        self.gen = torch.Generator().manual_seed(seed)
        self.length = length
        self.grid = torch.stack(torch.meshgrid(torch.arange(16.0), torch.arange(16.0), indexing="ij"))

    def render(self, y: float, x: float) -> Tensor:
        d2 = (self.grid[0] - y % 16) ** 2 + (self.grid[1] - x % 16) ** 2
        blob = torch.exp(-d2 / 6)
        return torch.stack([blob, blob * 0.5, 1 - blob]) + 0.05 * torch.randn(3, 16, 16, generator=self.gen)

    def __iter__(self) -> Iterator[Clip]:
        pos = [8.0, 8.0]
        while True:
            label = int(torch.randint(4, (), generator=self.gen))
            dy, dx = self.DIRS[label]
            frames = []
            for _ in range(self.length + 1):
                frames.append(self.render(*pos))
                pos = [pos[0] + dy, pos[1] + dx]
            yield Clip(torch.stack(frames[:-1]), torch.tensor(label), frames[-1])


class FrozenBackbone(nn.Module):
    def __init__(self, dim: int = 48):
        super().__init__()
        self.conv = nn.Conv2d(6, 12, 5, stride=2, padding=2)
        self.out = nn.Linear(12 * 64, dim)
        self.requires_grad_(False)

    def forward(self, frames: Tensor) -> Tensor:
        pairs = torch.cat([frames[1:], frames[1:] - frames[:-1]], dim=1)
        return self.out(F.relu(self.conv(pairs)).flatten(1))


class SlotMemory(nn.Module):
    """Eight slots; every clip writes into them softly, older content fades out."""

    def __init__(self, dim: int, slots: int = 8, keep: float = 0.9):
        super().__init__()
        self.keep = keep
        self.gate = nn.Linear(dim, slots)
        self.value = nn.Linear(dim, dim)
        self.slots = torch.zeros(slots, dim)

    def write(self, features: Tensor) -> None:
        where = self.gate(features).softmax(dim=1)
        fresh = (where / len(features)).t() @ self.value(features)
        self.slots = torch.lerp(fresh, self.slots, self.keep)  # <- culprit

    def read(self, query: Tensor) -> Tensor:
        scores = (query @ self.slots.t()) / query.shape[-1] ** 0.5
        return scores.softmax(dim=-1) @ self.slots


class StreamModel(nn.Module):
    def __init__(self, dim: int = 48):
        super().__init__()
        self.memory: Memory = SlotMemory(dim)
        self.action = nn.Sequential(nn.Linear(2 * dim, 32), nn.GELU(), nn.Linear(32, 4))
        self.predict = nn.Linear(2 * dim, 3 * 16)

    def forward(self, features: Tensor) -> tuple[Tensor, Tensor]:
        self.memory.write(features)
        context = self.memory.read(features[-1:])
        joint = torch.cat([features[-1:], context], dim=1)
        return self.action(joint), self.predict(joint)


def norm_of(params) -> float:
    return float(sum(p.grad.pow(2).sum() for p in params if p.grad is not None)) ** 0.5


def fit(source: ClipSource, steps: int = 200) -> None:
    backbone = FrozenBackbone().eval()
    model = StreamModel()
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    hits = 0
    for step, clip in zip(range(steps), source):
        with torch.no_grad():
            features = backbone(clip.frames)
        logits, rows = model(features)
        action_loss = F.cross_entropy(logits, clip.action[None])
        frame_loss = F.mse_loss(rows.view(3, 16), clip.following.mean(dim=1))

        optim.zero_grad()
        action_loss.backward(retain_graph=True)
        action_norm = norm_of(model.parameters())
        (0.5 * frame_loss).backward(retain_graph=True)  # <- culprit
        both_norm = norm_of(model.parameters())
        optim.step()

        hits += int(logits.argmax()) == int(clip.action)
        if step % 50 == 49:
            print(f"clip {step + 1}: acc={hits / (step + 1):.2f} frame={frame_loss.item():.4f} "
                  f"|g_action|={action_norm:.3f} |g|={both_norm:.3f}")


if __name__ == "__main__":
    torch.manual_seed(3)
    torch.set_num_threads(1)
    fit(MovingBlobs(seed=5))
