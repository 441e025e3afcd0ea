# gradwatch-corpus: kind=graph-held
# holder: self.pages | quill.pages | self.pages[line.chapter] | quill.pages[chapter]
# first-bad: 1
"""Toy diffusion on two-dimensional spiral points, with a log thread that writes a table at the end."""
import contextlib
import csv
import io
import queue
import threading
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Line:
    chapter: int
    step: int
    figures: dict = field(default_factory=dict)


class Quill(threading.Thread):
    """Takes lines off the hot path; all formatting is put off until close()."""

    def __init__(self):
        super().__init__(daemon=True)
        self.inbox = queue.SimpleQueue()
        self.pages = defaultdict(list)

    def run(self):
        while (line := self.inbox.get()) is not None:
            self.pages[line.chapter].append((line.step, line.figures))  # <- culprit
            del line

    def jot(self, chapter, step, **figures):
        self.inbox.put(Line(chapter, step, figures))  # <- culprit

    def close(self):
        self.inbox.put(None)
        self.join()
        sheet = io.StringIO()
        out = csv.writer(sheet)
        for chapter, rows in sorted(self.pages.items()):
            for step, figures in rows:
                out.writerow([chapter, step] + [f"{torch.as_tensor(v).item():.5f}" for v in figures.values()])
        return sheet.getvalue()


@contextlib.contextmanager
def writing():
    quill = Quill()
    quill.start()
    yield quill
    text = quill.close()
    print(f"{text.count(chr(10))} lines logged, last: {text.splitlines()[-1]}")


class Denoiser(nn.Module):
    def __init__(self, width=48, levels=40):
        super().__init__()
        self.when = nn.Embedding(levels, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.ModuleList(nn.Linear(width, width) for _ in range(2))
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        h = self.inp(x) + self.when(t)
        for layer in self.mid:
            h = h + torch.nn.functional.silu(layer(h))
        return self.out(h)


def spiral(n, rng):
    r = torch.rand(n, generator=rng) * 3
    pts = torch.stack([r * torch.cos(4 * r), r * torch.sin(4 * r)], -1) / 3
    return pts + 0.02 * torch.randn(n, 2, generator=rng)


def main():
    torch.manual_seed(6)
    rng = torch.Generator().manual_seed(6)
    levels = 40
    abar = torch.cumprod(1 - torch.linspace(1e-3, 0.2, levels), 0)
    net = Denoiser(levels=levels)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    with writing() as quill:
        for chapter in range(4):
            for step in range(90):
                clean = spiral(64, rng)
                t = torch.randint(levels, (64,), generator=rng)
                a = abar[t][:, None]
                eps = torch.randn(64, 2, generator=rng)
                guess = net(a.sqrt() * clean + (1 - a).sqrt() * eps, t)
                per_point = (guess - eps).pow(2).sum(-1)
                cost = per_point.mean()
                opt.zero_grad()
                cost.backward()
                opt.step()
                easy = per_point[t >= levels // 2].mean()
                quill.jot(chapter, step, cost=cost.item(), late=easy, spread=guess.detach().std())  # <- culprit
            print(f"chapter {chapter} cost {cost.item():.4f}")


if __name__ == "__main__":
    main()
