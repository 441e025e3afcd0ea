# gradwatch-corpus: kind=none
"""Character model over endless lanes of text; gradients reach back over a few segments."""
import argparse
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class LmConfig:
    vocab: int = 18
    dim: int = 16
    hidden: int = 32
    lanes: int = 8
    segment: int = 3
    reach: int = 3
    steps: int = 500
    lr: float = 3e-3


class Lanes:
    """Noisy periodic symbol streams."""

    def __init__(self, cfg, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.cfg = cfg
        self.now = torch.randint(cfg.vocab, (cfg.lanes,), generator=self.g)
        self.stride = torch.randint(1, 5, (cfg.lanes,), generator=self.g)

    def segment(self):
        out = [self.now]
        for _ in range(self.cfg.segment):
            jump = torch.rand(self.cfg.lanes, generator=self.g) < 0.1
            nxt = (out[-1] + self.stride + jump.long()) % self.cfg.vocab
            out.append(nxt)
        self.now = out[-1]
        seq = torch.stack(out)
        return seq[:-1], seq[1:]


class CharModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.embed = nn.Embedding(cfg.vocab, cfg.dim)
        self.cell = nn.GRUCell(cfg.dim, cfg.hidden)
        self.out = nn.Linear(cfg.hidden, cfg.vocab)

    def forward(self, xs, h):
        logits = []
        for x in self.embed(xs):
            h = self.cell(x, h)
            logits.append(self.out(h))
        return torch.stack(logits), h


class SegmentWindow:
    """The last few segments together with the state that the oldest began from."""

    def __init__(self, reach):
        self.segments = deque(maxlen=reach)
        self.starts = deque(maxlen=reach)

    def push(self, segment, start):
        self.segments.append(segment)
        self.starts.append(start)

    def replay(self, model):
        h = self.starts[0]
        losses = []
        for (x, y), slot in zip(self.segments, range(len(self.segments))):
            self.starts[slot] = h if slot == 0 else h.detach()
            logits, h = model(x, h)
            losses.append(F.cross_entropy(logits.flatten(0, 1), y.flatten()))
        return losses, h


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = CharModel(cfg)
        self.window = SegmentWindow(cfg.reach)
        self.state = torch.zeros(cfg.lanes, cfg.hidden)
        self.last_loss = None
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)

    def step(self, segment):
        self.window.push(segment, self.state.detach())
        losses, self.state = self.window.replay(self.model)
        loss = losses[-1] + 0.3 * sum(losses[:-1])
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.last_loss = losses[-1]

    def run(self, lanes):
        for i in range(self.cfg.steps):
            self.step(lanes.segment())
            if i % 100 == 0:
                print(f"{i:4d} nll {self.last_loss.item():.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    cfg = LmConfig(steps=parser.parse_args().steps)
    torch.manual_seed(9)
    Trainer(cfg).run(Lanes(cfg, seed=9))


if __name__ == "__main__":
    main()
