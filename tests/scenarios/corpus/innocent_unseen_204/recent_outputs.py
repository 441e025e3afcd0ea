# gradwatch-corpus: kind=none
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Record:
    logits: torch.Tensor
    labels: torch.Tensor
    loss: torch.Tensor

    @property
    def errors(self):
        return (self.logits.argmax(1) != self.labels).float()


class RecentMixin:
    window = 24

    def remember(self, record):
        if not hasattr(self, "_recent"):
            self._recent = deque(maxlen=self.window)
        self._recent.append(record)

    @property
    def recent(self):
        return list(self._recent)


class ErrorReport(RecentMixin):
    def __init__(self, classes):
        self.classes = classes
        self.lines = []

    def __call__(self, step, record):
        self.remember(record)
        if step % 50 == 49:
            self.lines.append(self.render(step))

    def render(self, step):
        errors = torch.cat([r.errors for r in self.recent])
        labels = torch.cat([r.labels for r in self.recent])
        per_class = torch.zeros(self.classes).index_add_(0, labels, errors)
        counts = torch.bincount(labels, minlength=self.classes).clamp(min=1)
        worst = int((per_class / counts).argmax())
        hardest = max(self.recent, key=lambda r: r.loss.item())
        return f"{step}: worst class {worst}, peak loss {hardest.loss.item():.3f}"


class GlyphNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2))
        self.head = nn.Linear(6 * 9, classes)

    def forward(self, x):
        return self.head(self.features(x).flatten(1))


class Glyphs:
    def __init__(self, classes, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.shapes = (torch.rand(classes, 1, 8, 8, generator=self.gen) > 0.6).float()

    def __call__(self, n):
        y = torch.randint(0, len(self.shapes), (n,), generator=self.gen)
        return self.shapes[y] + 0.8 * torch.randn(n, 1, 8, 8, generator=self.gen), y


def main(classes=6):
    torch.manual_seed(3)
    data, model, report = Glyphs(classes, 4), GlyphNet(classes), ErrorReport(classes)
    opt = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    for step in range(420):
        x, y = data(20)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        report(step, Record(logits, y, loss))
    print("\n".join(report.lines))


if __name__ == "__main__":
    main()
