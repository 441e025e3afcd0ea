# gradwatch-corpus: kind=none
"""Multi-lag agreement between embeddings of neighbouring video frames."""
from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(10)


class Phase(Enum):
    FILL = "fill"
    LEARN = "learn"


@dataclass(slots=True)
class Frame:
    index: int
    code: torch.Tensor
    scene: int


class FrameEncoder(nn.Module):
    def __init__(self, pixels=36, code=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(pixels, 48), nn.ReLU(), nn.Linear(48, code))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def video(pixels=36):
    scene, image = 0, torch.randn(pixels)
    index = 0
    while True:
        if torch.rand(()) < 0.1:
            scene, image = scene + 1, torch.randn(pixels)
        image = image + 0.1 * torch.randn(pixels)
        yield index, image, scene
        index += 1


class LagLearner:
    """One update per `lags` frames, over all pairs in the window; then the window starts anew."""

    def __init__(self, lags=6):
        self.encoder = FrameEncoder()
        self.window = deque(maxlen=lags)
        self.opt = torch.optim.Adam(self.encoder.parameters(), lr=2e-3)
        self.scores = Counter()

    @property
    def phase(self):
        return Phase.LEARN if len(self.window) == self.window.maxlen else Phase.FILL

    def see(self, index, image, scene):
        self.window.append(Frame(index, self.encoder(image), scene))
        self.scores[self.phase.value] += 1
        if self.phase is Phase.LEARN:
            self.update()

    def pair_loss(self, a, b):
        likeness = (a.code * b.code).sum()
        if a.scene == b.scene:
            return (1 - likeness) / (1 + abs(a.index - b.index))
        return F.relu(likeness - 0.2)

    def update(self):
        frames = list(self.window)
        loss = torch.stack([self.pair_loss(a, b) for i, a in enumerate(frames) for b in frames[:i]]).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.window.clear()
        self.scores.update(loss=loss.item(), updates=1)


def main():
    learner = LagLearner()
    for index, image, scene in video():
        learner.see(index, image, scene)
        if learner.scores["updates"] == 100:
            break
    mean = learner.scores["loss"] / learner.scores["updates"]
    print(f"frames {index + 1} updates {learner.scores['updates']} mean loss {mean:.4f} filling {learner.scores['fill']}")


if __name__ == "__main__":
    main()
