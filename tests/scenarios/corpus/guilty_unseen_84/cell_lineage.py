# gradwatch-corpus: kind=graph-held
# holder: lineage.closed | self.lineage.closed | tracker.lineage.closed | self.closed | track.hits
# first-bad: 1
# notice: 8
"""Learn frame-to-frame association of cells in (simulated) phase contrast video."""
from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Hit:
    frame: int
    cell: int
    score: torch.Tensor


@dataclass
class Tracklet:
    uid: int
    hits: list[Hit] = field(default_factory=list)

    @property
    def span(self):
        return self.hits[-1].frame - self.hits[0].frame + 1

    def confidence(self):
        return float(sum(float(h.score) for h in self.hits) / len(self.hits))


class Lineage:
    def __init__(self, max_span=6):
        self.max_span = max_span
        self.open: dict[int, Tracklet] = {}
        self.closed: list[Tracklet] = []
        self._uid = itertools.count()

    def extend(self, frame, src, dst, score):
        track = self.open.pop(src, None) or Tracklet(next(self._uid))
        track.hits.append(Hit(frame, dst, score))  # <- culprit
        if track.span >= self.max_span:
            self.closed.append(track)  # <- culprit
            return None
        return dst, track

    def advance(self, frame, links):
        moved = [self.extend(frame, *link) for link in links]
        self.closed.extend(self.open.values())
        self.open = dict(m for m in moved if m)


class Affinity(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(5, 32), nn.GELU(), nn.Linear(32, dim))
        self.log_temp = nn.Parameter(torch.tensor(0.0))

    def forward(self, a, b):
        ea, eb = F.normalize(self.embed(a), dim=-1), F.normalize(self.embed(b), dim=-1)
        return (ea @ eb.t()) * self.log_temp.exp() * 4


def greedy(scores, floor=0.2):
    """Best partner of each cell of the earlier frame, if it is a good one."""
    prob = scores.softmax(-1)
    best = prob.max(-1)
    for i, j in enumerate(best.indices.tolist()):
        if best.values[i] > floor:
            yield i, j, best.values[i]  # <- culprit


class Callback:
    def after_frame(self, tracker, frame, scores): ...
    def at_end(self, tracker): ...


class LineageBuilder(Callback):
    def after_frame(self, tracker, frame, scores):
        tracker.lineage.advance(frame, greedy(scores))  # <- culprit

    def at_end(self, tracker):
        done = tracker.lineage.closed
        print(f"{len(done)} tracklets, mean confidence {sum(t.confidence() for t in done) / len(done):.3f}")


class Tracker:
    def __init__(self, callbacks):
        self.model, self.lineage, self.callbacks = Affinity(), Lineage(), callbacks
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)

    def run(self, video):
        for frame, (prev, cur, match) in enumerate(video):
            scores = self.model(prev, cur)
            loss = F.cross_entropy(scores, match)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for cb in self.callbacks:
                cb.after_frame(self, frame, scores)
            if frame % 50 == 0:
                print(f"frame {frame} loss {loss.item():.3f}")
        for cb in self.callbacks:
            cb.at_end(self)


def video(frames=220, cells=10, seed=12):
    g = torch.Generator().manual_seed(seed)
    state = torch.randn(cells, 5, generator=g)
    for _ in range(frames):
        perm = torch.randperm(cells, generator=g)
        nxt = (0.98 * state + 0.2 * torch.randn(cells, 5, generator=g))[perm]
        yield state, nxt, perm.argsort()
        state = nxt


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2)
    Tracker([LineageBuilder()]).run(video())
