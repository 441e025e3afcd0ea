# gradwatch-corpus: kind=none
from collections import deque

import torch
from torch import nn

SEED, STEPS, WINDOW = 4, 450, 20


class KeywordNet(nn.Module):
    def __init__(self, mels=16, classes=8):
        super().__init__()
        self.conv = nn.Conv1d(mels, 24, 5, padding=2)
        self.gru = nn.GRU(24, 24, batch_first=True)
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        h = torch.relu(self.conv(x)).transpose(1, 2)
        _, last = self.gru(h)
        return self.head(last[0])


class SpikeGuard:
    """Skips the update when the loss is far over the recent median."""

    def __init__(self, window, factor):
        self.recent = deque(maxlen=window)
        self.factor = factor
        self.skipped = 0

    def check(self, loss):
        ok = True
        if len(self.recent) == self.recent.maxlen:
            median = sorted(float(l) for l in self.recent)[len(self.recent) // 2]
            ok = float(loss) < self.factor * median
        self.recent.append(loss)
        if not ok:
            self.skipped += 1
        return ok


def synth(n, templates):
    y = torch.randint(0, len(templates), (n,))
    x = templates[y] + torch.randn(n, *templates.shape[1:])
    noisy = torch.rand(n) < 0.05
    y = torch.where(noisy, torch.randint(0, len(templates), (n,)), y)
    return x, y


def main():
    torch.manual_seed(SEED)
    templates = 0.6 * torch.randn(8, 16, 20)
    net = KeywordNet()
    guard = SpikeGuard(WINDOW, 3.0)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    accuracy = []
    for step in range(STEPS):
        x, y = synth(24, templates)
        logits = net(x)
        loss = criterion(logits, y)
        optimizer.zero_grad()
        loss.backward()
        if guard.check(loss):
            optimizer.step()
        accuracy.append((logits.argmax(-1) == y).float().mean().item())
        if (step + 1) % 50 == 0:
            window = torch.stack(list(guard.recent)).mean()
            print(f"{step + 1:4d} loss(last {WINDOW}) {window.item():.4f} "
                  f"acc {sum(accuracy[-50:]) / 50:.3f} skipped {guard.skipped}")


main()
