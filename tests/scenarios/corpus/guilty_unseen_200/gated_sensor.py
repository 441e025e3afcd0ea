# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Gated network for wearable sensors with missing channels."""
import torch
from torch import nn
import torch.nn.functional as F


class MaskedGate(nn.Module):
    """Learned gate on each channel; missing channels are closed."""

    def __init__(self, channels):
        super().__init__()
        self.score = nn.Linear(2 * channels, channels)

    def forward(self, x, present):
        gate = torch.sigmoid(self.score(torch.cat([x, present], -1)))
        gate *= present  # <- culprit
        return x * gate


class ActivityNet(nn.Module):
    def __init__(self, channels=9, classes=5, hidden=24):
        super().__init__()
        self.gate = MaskedGate(channels)
        self.rnn = nn.GRU(channels, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)

    def forward(self, x, present):
        h = self.gate(x, present)
        _, last = self.rnn(h)
        return self.out(last[0])


class SensorData:
    def __init__(self, channels=9, classes=5, length=8, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(classes, channels, generator=self.g)
        self.classes, self.length, self.channels = classes, length, channels

    def batch(self, n, missing=0.2):
        y = torch.randint(0, self.classes, (n,), generator=self.g)
        noise = torch.randn(n, self.length, self.channels, generator=self.g)
        x = self.proto[y][:, None] + 0.7 * noise
        present = (torch.rand(n, 1, self.channels, generator=self.g) > missing).float()
        present = present.expand_as(x).contiguous()
        return x * present, present, y


def train(steps=450):
    torch.manual_seed(12)
    data = SensorData(seed=12)
    net = ActivityNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    hits = seen = 0
    for step in range(steps):
        x, present, y = data.batch(20)
        logits = net(x, present)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += int((logits.argmax(1) == y).sum())
        seen += len(y)
        if step % 50 == 0:
            print(f"step {step} loss {loss.item():.3f} acc {hits / seen:.3f}")


if __name__ == "__main__":
    train()
