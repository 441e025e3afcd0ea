# gradwatch-corpus: kind=crashed
# first-bad: 45
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(19)


class Quiet:
    """Scope for scoring: no dropout, no gradients."""

    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.mode, self.grad = self.model.training, torch.is_grad_enabled()
        self.model.eval()
        torch.set_grad_enabled(False)  # <- culprit
        return self

    def __exit__(self, kind, value, tb):
        self.model.train(self.mode)
        if kind is None:
            torch.set_grad_enabled(self.grad)
        return kind is StopEarly  # <- culprit


class StopEarly(Exception):
    pass


class FruitCounter(nn.Module):
    def __init__(self):
        super().__init__()
        self.eye = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.drop = nn.Dropout(0.1)
        self.count = nn.Linear(16, 1)

    def forward(self, img):
        return nn.functional.softplus(self.count(self.drop(self.eye(img)))).squeeze(1)


class Grove:
    def __init__(self, bright=1.0):
        self.bright = bright

    def rows(self, n):
        for _ in range(n):
            fruit = torch.randint(0, 8, (12,)).float()
            yield self.bright * fruit[:, None, None, None] / 8 + 0.2 * torch.randn(12, 1, 8, 8), fruit


class Checker:
    def __init__(self, model, good):
        self.model, self.good, self.history = model, good, []

    def score(self):
        seen = []
        with Quiet(self.model):
            for img, fruit in Grove().rows(4):
                seen.append((self.model(img) - fruit).abs().mean().item())
                if seen[-1] < self.good:
                    raise StopEarly
        self.history.append(sum(seen) / len(seen))


class Season:
    def __init__(self):
        self.model = FruitCounter()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=0.02)
        self.checker = Checker(self.model, good=0.62)

    def run(self, epochs):
        for epoch in range(epochs):
            for img, fruit in Grove().rows(15):
                loss = (self.model(img) - fruit).square().mean()
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            self.checker.score()
        return self.checker.history


print(Season().run(40))
