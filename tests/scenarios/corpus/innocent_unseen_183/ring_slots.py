# gradwatch-corpus: kind=none
"""Vibration classifier with a slot ring of recent logits used for a stability score."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Ring:
    def __init__(self, slots):
        self.slots = [None] * slots
        self.cursor = 0

    def write(self, item):
        self.slots[self.cursor % len(self.slots)] = item
        self.cursor += 1

    def newest(self, n):
        n = min(n, self.cursor, len(self.slots))
        return [self.slots[(self.cursor - 1 - i) % len(self.slots)] for i in range(n)]

    @property
    def full(self):
        return self.cursor >= len(self.slots)


class VibrationNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 8, 7, stride=3)
        self.conv2 = nn.Conv1d(8, 8, 5, stride=2)
        self.fc = nn.Linear(8, classes)
        self.ring = Ring(75)

    def forward(self, x):
        h = F.relu(self.conv2(F.relu(self.conv1(x))))
        logits = self.fc(h.mean(-1))
        if self.training:
            self.ring.write(logits)
        return logits

    def stability(self):
        rows = [F.softmax(l.detach(), -1).max(-1).values.mean() for l in self.ring.newest(30)]
        return torch.stack(rows).std().item() if len(rows) > 1 else float("nan")


def signals(gen, n=24, length=96):
    y = torch.randint(4, (n,), generator=gen)
    t = torch.linspace(0, 1, length)
    freq = 4.0 + 5.0 * y[:, None]
    phase = 6.28 * torch.rand(n, 1, generator=gen)
    x = torch.sin(6.28 * freq * t + phase) + 0.4 * torch.randn(n, length, generator=gen)
    return x[:, None], y


def evaluate(net, gen):
    net.eval()
    with torch.no_grad():
        x, y = signals(gen, 200)
        acc = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return acc


def main():
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(14)
    net = VibrationNet(4)
    opt = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=1e-3)
    for step in range(1, 431):
        x, y = signals(gen)
        loss = F.cross_entropy(net(x), y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 86 == 0:
            acc = evaluate(net, gen)
            print(f"{step} loss {loss.item():.3f} acc {acc:.3f} stability {net.stability():.4f} full {net.ring.full}")


if __name__ == "__main__":
    main()
