# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class PlateauMonitor:
    """Compares the means of the two halves of a sliding window of losses."""

    def __init__(self, window=24, tol=1e-3):
        self.losses = deque(maxlen=window)
        self.tol = tol
        self.triggered = 0

    def push(self, loss):
        self.losses.append(loss)
        if len(self.losses) < self.losses.maxlen:
            return False
        half = len(self.losses) // 2
        values = torch.stack(list(self.losses)).tolist()
        older, newer = sum(values[:half]) / half, sum(values[half:]) / half
        if older - newer < self.tol:
            self.triggered += 1
            self.losses.clear()
            return True
        return False


class SpectrogramNet(nn.Module):
    def __init__(self, mels=16, classes=6):
        super().__init__()
        self.conv = nn.Conv1d(mels, 24, 5, padding=2)
        self.gru = nn.GRU(24, 24, batch_first=True)
        self.fc = nn.Linear(24, classes)

    def forward(self, x):
        h = F.relu(self.conv(x)).transpose(1, 2)
        _, last = self.gru(h)
        return self.fc(last[0])


class KeywordData:
    def __init__(self, n=600, classes=6, mels=16, frames=12, seed=13):
        g = torch.Generator().manual_seed(seed)
        shape = torch.randn(classes, mels, frames, generator=g)
        self.y = torch.randint(0, classes, (n,), generator=g)
        self.x = shape[self.y] + 1.3 * torch.randn(n, mels, frames, generator=g)

    def stream(self, bs, steps):
        for _ in range(steps):
            i = torch.randint(0, len(self.y), (bs,))
            yield self.x[i], self.y[i]


def specaugment(x, width=3):
    x = x.clone()
    f = torch.randint(0, x.size(1) - width, (1,)).item()
    x[:, f:f + width] = 0
    return x


def main():
    torch.manual_seed(13)
    data, net = KeywordData(), SpectrogramNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    monitor = PlateauMonitor()
    lrs = []
    for step, (x, y) in enumerate(data.stream(16, 500)):
        loss = F.cross_entropy(net(specaugment(x)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if monitor.push(loss):
            for group in opt.param_groups:
                group["lr"] = max(1e-4, group["lr"] * 0.7)
        lrs.append(opt.param_groups[0]["lr"])
        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.4f} lr {lrs[-1]:.5f} plateaus {monitor.triggered}")


if __name__ == "__main__":
    main()
