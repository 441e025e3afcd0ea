# gradwatch-corpus: kind=graph-held
# holder: calls | timeline.calls | TIMELINE.calls | TIMELINE.calls["pair_loss"] | self.calls
# first-bad: 1
import functools
import time
from collections import defaultdict, namedtuple
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

Span = namedtuple("Span", "started seconds result")


class Timeline:
    """Wall-clock view of the stages of a step, one list of spans per stage."""

    def __init__(self):
        self.calls = defaultdict(list)

    def stage(self, fn):
        @functools.wraps(fn)
        def timed(*args, **kwargs):
            t0 = time.perf_counter()
            out = fn(*args, **kwargs)
            span = Span(t0, time.perf_counter() - t0, out)
            self.calls[fn.__name__].append(span)  # <- culprit
            return out
        return timed

    def table(self):
        rows = []
        for name, spans in self.calls.items():
            ms = 1000 * sum(s.seconds for s in spans) / len(spans)
            rows.append(f"  {name:<12} {len(spans):5d} calls {ms:8.3f} ms")
        return "\n".join(rows)


TIMELINE = Timeline()


@dataclass
class DiarConfig:
    speakers: int = 30
    per_batch: int = 8
    takes: int = 4
    frames: int = 80
    mels: int = 24
    dim: int = 64
    steps: int = 220
    lr: float = 2e-3


class Embedder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(cfg.mels, cfg.dim, 5, padding=2), nn.ReLU(), nn.BatchNorm1d(cfg.dim),
            nn.Conv1d(cfg.dim, cfg.dim, 3, padding=2, dilation=2), nn.ReLU(), nn.BatchNorm1d(cfg.dim))
        self.attn = nn.Conv1d(cfg.dim, 1, 1)
        self.proj = nn.Linear(2 * cfg.dim, cfg.dim)

    def forward(self, x):
        h = self.net(x)
        w = self.attn(h).softmax(-1)
        mean = (h * w).sum(-1)
        std = ((h - mean.unsqueeze(-1)).square() * w).sum(-1).add(1e-5).sqrt()
        return F.normalize(self.proj(torch.cat([mean, std], dim=-1)), dim=-1)


class Speakers:
    def __init__(self, cfg):
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(5)
        self.timbre = torch.randn(cfg.speakers, cfg.mels, generator=self.g)

    def draw(self):
        c = self.cfg
        who = torch.randperm(c.speakers, generator=self.g)[:c.per_batch].repeat_interleave(c.takes)
        noise = torch.randn(len(who), c.mels, c.frames, generator=self.g)
        return 0.7 * self.timbre[who].unsqueeze(-1) + noise, who


@TIMELINE.stage
def pair_loss(emb, who, temperature=0.1):
    sim = emb @ emb.t() / temperature
    same = who.unsqueeze(0) == who.unsqueeze(1)
    eye = torch.eye(len(who), dtype=torch.bool)
    logp = sim.masked_fill(eye, -1e4).log_softmax(-1)
    keep = same & ~eye
    return -(logp * keep).sum(-1).div(keep.sum(-1)).mean()


@TIMELINE.stage
def update(opt, loss):
    opt.zero_grad()
    loss.backward()
    opt.step()


def main(cfg=DiarConfig()):
    torch.manual_seed(0)
    data, model = Speakers(cfg), Embedder(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        audio, who = data.draw()
        loss = pair_loss(model(audio), who)
        update(opt, loss)
        if step % 40 == 0:
            print(f"step {step}: {loss.item():.3f}")
    print(TIMELINE.table())


if __name__ == "__main__":
    main()
