# gradwatch-corpus: kind=none
# about: the reservoir of depth crops climbs for the first rounds (about 0.6 MB each) and then stays at its capacity, old entries get replaced
"""Grasp success from depth crops, with rehearsal out of a reservoir while the object set drifts."""
import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(slots=True)
class Scene:
    crops: torch.Tensor
    held: torch.Tensor
    margin: torch.Tensor


class Reservoir:
    def __init__(self, room, seed):
        self.room, self.rng = room, random.Random(seed)
        self.scenes, self.offered = [], 0

    def offer(self, scene):
        self.offered += 1
        if len(self.scenes) < self.room:
            self.scenes.append(scene)
            return
        j = self.rng.randrange(self.offered)
        if j < self.room:
            self.scenes[j] = scene

    def sample(self, k):
        return self.rng.sample(self.scenes, min(k, len(self.scenes)))


class Bench:
    def __init__(self, rows=60, side=50, seed=0):
        self.rows, self.side = rows, side
        self.gen = torch.Generator().manual_seed(seed)
        a = torch.linspace(-1, 1, side)
        self.y, self.x = torch.meshgrid(a, a, indexing="ij")

    def round(self, t):
        n, g = self.rows, self.gen
        size = 0.2 + 0.5 * torch.rand(n, 1, 1, generator=g)
        lean = torch.randn(n, 1, 1, generator=g) * (0.2 + t)
        off = torch.randn(n, 1, 1, generator=g) * 0.3
        body = (((self.x - off + lean * self.y) / size) ** 2 + (self.y / 0.8) ** 2 < 1).float()
        crops = body * (1 - self.y.abs()) + 0.05 * torch.randn(n, self.side, self.side, generator=g)
        held = ((off.abs() < 0.35) & (size < 0.55)).float().view(n)
        return crops, held


class GraspNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 6, 5, stride=3), nn.ReLU(), nn.Conv2d(6, 12, 3, stride=2), nn.ReLU(),
                                 nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.out = nn.Linear(192, 1)

    def forward(self, crops):
        return self.out(self.enc(crops[:, None])).squeeze(1)


def main(rounds=420):
    torch.manual_seed(55)
    net, bench, store = GraspNet(), Bench(), Reservoir(110, 5)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for n in range(rounds):
        crops, held = bench.round(n / rounds)
        logit = net(crops)
        loss = F.binary_cross_entropy_with_logits(logit, held)
        for old in store.sample(1):
            pick = torch.randperm(len(old.held))[:20]
            again = net(old.crops[pick])
            loss = loss + 0.3 * F.binary_cross_entropy_with_logits(again, old.held[pick])
            loss = loss + 0.05 * F.mse_loss(again, old.margin[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.offer(Scene(crops, held, logit.detach().clone()))
        if n % 60 == 0:
            acc = ((logit > 0) == held.bool()).float().mean().item()
            print(f"round {n:3d} loss {loss.item():.3f} acc {acc:.3f} reservoir {len(store.scenes)}")


if __name__ == "__main__":
    main()
