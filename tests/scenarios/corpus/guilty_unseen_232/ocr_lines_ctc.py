# gradwatch-corpus: kind=graph-held
# holder: self._pending | writer._pending | log._pending
# first-bad: 1
"""OCR line recogniser, CTC on synthetic glyph strips. Log rows are rendered at close to keep the loop fast."""
import random

import torch
import torch.nn.functional as F
from torch import nn

GLYPHS = 10
HEIGHT = 12
GLYPH_W = 6


class LazyLogWriter:
    """Log calls are cheap: the row is formatted only when the writer is closed."""

    def __init__(self, prefix):
        self.prefix = prefix
        self._pending = []
        self.lines = []

    def defer(self, render):
        self._pending.append(render)  # <- culprit

    def close(self):
        for render in self._pending:
            self.lines.append(f"{self.prefix} {render()}")
        self._pending.clear()


class StripMaker:
    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.font = (torch.rand(GLYPHS, HEIGHT, GLYPH_W, generator=g) > 0.5).float()
        self.rng = random.Random(seed)

    def line(self, n):
        text = [self.rng.randrange(GLYPHS) for _ in range(n)]
        img = torch.cat([self.font[c] for c in text], dim=1)
        return text, img + 0.1 * torch.randn_like(img)

    def batch(self, size, n=5):
        texts = []
        imgs = []
        for _ in range(size):
            text, img = self.line(n)
            texts.append(text)
            imgs.append(img)
        return torch.tensor(texts) + 1, torch.stack(imgs).unsqueeze(1)


class LineReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d((2, 2)),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.ReLU(),
        )
        self.rnn = nn.GRU(16 * (HEIGHT // 2), 32, batch_first=True, bidirectional=True)
        self.head = nn.Linear(64, GLYPHS + 1)

    def forward(self, img):
        f = self.conv(img)
        b, c, h, w = f.shape
        seq = f.permute(0, 3, 1, 2).reshape(b, w, c * h)
        out, _ = self.rnn(seq)
        return self.head(out).log_softmax(-1)


def greedy(log_probs):
    best = log_probs.argmax(-1)
    texts = []
    for row in best.tolist():
        prev = 0
        out = []
        for c in row:
            if c != prev and c != 0:
                out.append(c)
            prev = c
        texts.append(out)
    return texts


def train(steps=100):
    torch.manual_seed(4)
    maker = StripMaker(9)
    net = LineReader()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    log = LazyLogWriter("ocr")
    exact = 0
    for step in range(steps):
        target, img = maker.batch(8)
        log_probs = net(img)
        t_len = torch.full((8,), log_probs.shape[1])
        y_len = torch.full((8,), target.shape[1])
        loss = F.ctc_loss(log_probs.transpose(0, 1), target, t_len, y_len)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        hits = sum(a == b for a, b in zip(greedy(log_probs.detach()), target.tolist()))
        exact = 0.9 * exact + 0.1 * hits / 8
        log.defer(lambda step=step, loss=loss, norm=norm.item(): f"{step:4d} ctc={loss.item():.3f} gnorm={norm:.2f}")  # <- culprit
    log.close()
    for line in log.lines[::20]:
        print(line)
    print(f"exact match (smoothed) {exact:.2f}")


if __name__ == "__main__":
    train()
