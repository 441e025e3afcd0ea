# gradwatch-corpus: kind=none
"""Multi-object tracking: track memories live over frames, losses are settled every few frames."""
from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn
import torch.nn.functional as F

log = logging.getLogger("tracker")


@dataclass
class Track:
    ident: int
    memory: Tensor
    trail: deque[Tensor] = field(default_factory=lambda: deque(maxlen=3))
    missed: int = 0

    def settle(self) -> None:
        self.memory = self.memory.detach()
        self.trail = deque((t.detach() for t in self.trail), maxlen=3)


class Scene:
    def __init__(self, objects: int, dim: int) -> None:
        self.pos = torch.rand(objects, 2)
        self.vel = 0.02 * torch.randn(objects, 2)
        self.look = torch.randn(objects, dim)

    def frame(self) -> tuple[Tensor, Tensor]:
        self.pos = (self.pos + self.vel) % 1.0
        visible = (torch.rand(len(self.pos)) > 0.1).nonzero().squeeze(-1)
        look = self.look[visible] + 0.5 * torch.randn(len(visible), self.look.shape[1])
        return visible, torch.cat([self.pos[visible], look], -1)


class TrackNet(nn.Module):
    def __init__(self, feats: int, dim: int) -> None:
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(feats, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.update = nn.GRUCell(dim, dim)

    def affinity(self, tracks: list[Track], dets: Tensor) -> Tensor:
        rows = torch.stack([torch.stack([t.memory, *t.trail]).mean(0) for t in tracks])
        return F.normalize(rows, dim=-1) @ F.normalize(dets, dim=-1).T / 0.1


class OnlineTrainer:
    def __init__(self, scene: Scene, net: TrackNet, window: int) -> None:
        self.scene = scene
        self.net = net
        self.window = window
        self.tracks: dict[int, Track] = {}
        self.window_losses: list[Tensor] = []
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)
        self.accuracy: deque[float] = deque(maxlen=40)

    def observe(self) -> None:
        idents, feats = self.scene.frame()
        dets = self.net.embed(feats)
        known = [i for i in idents.tolist() if i in self.tracks]
        if len(known) > 1:
            tracks = [self.tracks[i] for i in known]
            score = self.net.affinity(tracks, dets)
            target = torch.tensor([idents.tolist().index(i) for i in known])
            self.window_losses.append(F.cross_entropy(score, target))
            self.accuracy.append((score.argmax(-1) == target).float().mean().item())
        for i, det in zip(idents.tolist(), dets):
            track = self.tracks.get(i) or Track(i, torch.zeros_like(det))
            track.trail.append(track.memory)
            track.memory = self.net.update(det[None], track.memory[None])[0]
            track.missed = -1
            self.tracks[i] = track
        for t in self.tracks.values():
            t.missed += 1
        self.tracks = {i: t for i, t in self.tracks.items() if t.missed < 3}

    def settle(self) -> float:
        loss = torch.stack(self.window_losses).mean()
        self.window_losses = []
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        for t in self.tracks.values():
            t.settle()
        return loss.item()

    def run(self, frames: int) -> None:
        for n in range(1, frames + 1):
            self.observe()
            if n % self.window == 0:
                value = self.settle()
                if n % 40 == 0:
                    log.info("frame %d loss %.3f acc %.2f", n, value, sum(self.accuracy) / len(self.accuracy))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.manual_seed(10)
    OnlineTrainer(Scene(9, 8), TrackNet(10, 24), window=4).run(160)
