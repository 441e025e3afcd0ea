# gradwatch-corpus: kind=graph-held
# holder: self.records | probe.records
# first-bad: 1
"""Small CNN on synthetic textures; a probe records layer statistics for a plot."""
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride=stride, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(cout)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class TextureNet(nn.Module):
    def __init__(self, n_classes=3):
        super().__init__()
        self.stem = Block(1, 8, 1)
        self.down1 = Block(8, 16, 2)
        self.down2 = Block(16, 16, 2)
        self.fc = nn.Linear(16, n_classes)

    def forward(self, x):
        x = self.down2(self.down1(self.stem(x)))
        return self.fc(x.mean(dim=(2, 3)))


class LayerProbe:
    """Per-channel mean and spread of chosen layers."""

    def __init__(self, model, names):
        self.records = defaultdict(list)
        modules = dict(model.named_modules())
        for name in names:
            modules[name].register_forward_hook(self._make(name))

    def _make(self, name):
        def hook(module, inputs, output):
            mean = output.mean(dim=(0, 2, 3))  # <- culprit
            spread = output.std(dim=(0, 2, 3))  # <- culprit
            self.records[name].append((mean, spread))  # <- culprit

        return hook

    def summary(self):
        rows = []
        for name, recs in self.records.items():
            first = recs[0][1].mean().item()
            last = recs[-1][1].mean().item()
            rows.append((name, len(recs), first, last))
        return rows


def textures(n, size=16):
    y = torch.randint(0, 3, (n,))
    grid = torch.arange(size).float()
    freq = (y.float() + 1) * 0.6
    wave = torch.sin(freq[:, None, None] * (grid[None, :, None] + grid[None, None, :]))
    x = wave + 0.4 * torch.randn(n, size, size)
    return x.unsqueeze(1), y


def run(steps=100):
    torch.manual_seed(0)
    model = TextureNet()
    probe = LayerProbe(model, ["stem", "down1", "down2"])
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    correct = 0
    seen = 0
    for step in range(steps):
        x, y = textures(16)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        correct += (logits.argmax(1) == y).sum().item()
        seen += y.numel()
        if step % 25 == 24:
            print(step + 1, "loss", round(loss.item(), 4), "acc", round(correct / seen, 3))
    for row in probe.summary():
        print("%s: %d records, spread %.3f -> %.3f" % row)


run()
