# gradwatch-corpus: kind=graph-held
# holder: self.stats | watch.stats | self.stats[name] | watch.stats[name]
# first-bad: 1
"""Keyword spotting on toy spectrograms, with a monitor for dead channels."""
from collections import defaultdict
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

WORDS = ["yes", "no", "stop", "go", "left"]


class KWSNet(nn.Module):
    def __init__(self, n_mels=16, ch=12, n_out=len(WORDS)):
        super().__init__()
        self.conv1 = nn.Conv1d(n_mels, ch, 5, padding=2)
        self.conv2 = nn.Conv1d(ch, ch, 5, padding=2, stride=2)
        self.conv3 = nn.Conv1d(ch, 2 * ch, 3, padding=1, stride=2)
        self.norm = nn.GroupNorm(4, 2 * ch)
        self.head = nn.Linear(2 * ch, n_out)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        x = F.relu(self.norm(self.conv3(x)))
        return self.head(x.mean(dim=2))


class ActivationWatch:
    def __init__(self, model, kinds=(nn.Conv1d,)):
        self.stats = defaultdict(list)
        self.enabled = True
        self.handles = [
            m.register_forward_hook(partial(self._hook, name))
            for name, m in model.named_modules() if isinstance(m, kinds)
        ]

    @staticmethod
    def rms(t):
        return t.pow(2).mean().sqrt()  # <- culprit

    def _hook(self, name, module, inputs, output):
        if self.enabled:
            self.stats[name].append(self.rms(output))  # <- culprit

    def summary(self, last=25):
        return {k: float(sum(v[-last:]) / len(v[-last:])) for k, v in self.stats.items()}

    def remove(self):
        for h in self.handles:
            h.remove()


def synth_batch(n, n_mels=16, frames=40):
    y = torch.randint(len(WORDS), (n,))
    t = torch.linspace(0, 1, frames)
    mel = torch.linspace(0, 1, n_mels).view(1, -1, 1)
    centre = (0.15 + 0.15 * y.float()).view(-1, 1, 1) + 0.2 * torch.sin(6.28 * t * (1 + y.view(-1, 1, 1)))
    spec = torch.exp(-((mel - centre) ** 2) / 0.02)
    return spec + 0.3 * torch.randn(n, n_mels, frames), y


def evaluate(model, watch):
    model.eval()
    watch.enabled = False
    with torch.no_grad():
        x, y = synth_batch(200)
        acc = (model(x).argmax(1) == y).float().mean().item()
    watch.enabled = True
    model.train()
    return acc


def main():
    torch.manual_seed(21)
    model = KWSNet()
    watch = ActivationWatch(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 100)
    for it in range(100):
        x, y = synth_batch(32)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        if it % 25 == 24:
            rms = " ".join(f"{k}={v:.2f}" for k, v in watch.summary().items())
            print(f"{it + 1:4d} loss {loss.item():.3f} acc {evaluate(model, watch):.2f} | {rms}")
    watch.remove()


main()
