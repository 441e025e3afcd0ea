# gradwatch-corpus: kind=graph-held
# holder: self.sums.confidence | board.sums.confidence | self.sums | board.sums | self.board.sums | engine.board.sums
# first-bad: 1
"""Keyword spotting on synthetic tones: depthwise conv net over log-mel-like frames."""
import torch
from torch import nn

from engine import Engine


class Separable(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.dw = nn.Conv1d(ch, ch, 5, padding=2, groups=ch)
        self.pw = nn.Conv1d(ch, ch, 1)
        self.norm = nn.GroupNorm(4, ch)

    def forward(self, x):
        return x + torch.relu(self.norm(self.pw(self.dw(x))))


class KeywordNet(nn.Module):
    def __init__(self, bands=24, classes=6, ch=32):
        super().__init__()
        self.stem = nn.Conv1d(bands, ch, 5, padding=2)
        self.blocks = nn.ModuleList(Separable(ch) for _ in range(3))
        self.head = nn.Linear(ch, classes)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(dim=-1))


class TonePhrases:
    """Every keyword is a sequence of three bands lighting up, plus noise and a random shift."""

    def __init__(self, classes=6, bands=24, frames=40, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.frames, self.bands = frames, bands
        self.pattern = torch.randint(bands, (classes, 3), generator=self.gen)

    def batch(self, n):
        y = torch.randint(len(self.pattern), (n,), generator=self.gen)
        x = 0.6 * torch.randn(n, self.bands, self.frames, generator=self.gen)
        shift = torch.randint(0, 10, (n,), generator=self.gen)
        for i in range(n):
            for j, band in enumerate(self.pattern[y[i]]):
                a = int(shift[i]) + 9 * j
                x[i, band, a:a + 8] += 2.0
        return x, y

    def epoch(self, batches, size):
        for _ in range(batches):
            yield self.batch(size)


def main():
    torch.manual_seed(4)
    data = TonePhrases()
    engine = Engine(KeywordNet(), lr=4e-3)
    for epoch in range(5):
        engine.train_epoch(data.epoch(24, 16))
        print(f"epoch {epoch}: {engine.board}  held-out {engine.evaluate(*data.batch(200)):.3f}")


if __name__ == "__main__":
    main()
