# gradwatch-corpus: kind=none
import time
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES = ["yes", "no", "stop", "go", "noise"]
FLUSH_SECONDS = 0.14
MAX_BACKLOG = 60


@dataclass
class TimedConsole:
    """Prints at a fixed pace, however fast the training runs."""

    period: float
    backlog: list = field(default_factory=list)
    lines: int = 0
    _due: float = field(default_factory=time.perf_counter)

    def post(self, step, loss, logits, target):
        self.backlog.append((step, loss, logits, target))
        if time.perf_counter() >= self._due or len(self.backlog) >= MAX_BACKLOG:
            self.flush()

    def flush(self):
        if not self.backlog:
            return
        first, last = self.backlog[0][0], self.backlog[-1][0]
        with torch.no_grad():
            mean = sum(row[1] for row in self.backlog).item() / len(self.backlog)
            hits = sum((lg.argmax(1) == tg).float().mean().item() for _, _, lg, tg in self.backlog)
        if self.lines % 4 == 0:
            print(f"steps {first}-{last}: loss {mean:.3f} acc {hits / len(self.backlog):.2f}")
        self.lines += 1
        self.backlog = []
        self._due = time.perf_counter() + self.period


class Spotter(nn.Module):
    def __init__(self, mels=12, width=16):
        super().__init__()
        self.conv1 = nn.Conv1d(mels, width, 5, padding=2)
        self.conv2 = nn.Conv1d(width, width, 3, stride=2)
        self.norm = nn.GroupNorm(4, width)
        self.head = nn.Linear(width, len(CLASSES))

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.norm(self.conv2(x)))
        return self.head(x.mean(-1))


def utterances(gen, templates, n=16):
    y = torch.randint(0, len(CLASSES), (n,), generator=gen)
    shift = torch.randint(0, 6, (n,), generator=gen)
    x = torch.stack([templates[c].roll(int(s), dims=-1) for c, s in zip(y, shift)])
    return x + 0.8 * torch.randn(x.shape, generator=gen), y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(41)
    templates = torch.randn(len(CLASSES), 12, 32, generator=gen)
    net = Spotter()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    console = TimedConsole(FLUSH_SECONDS)
    for step in range(550):
        x, y = utterances(gen, templates)
        logits = net(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        console.post(step, loss, logits, y)
    console.flush()
    print("lines", console.lines)


if __name__ == "__main__":
    main()
