# gradwatch-corpus: kind=graph-held
# holder: self.envelopes | monitor.envelopes
# first-bad: 1
"""Separating volcanic tremor from wind noise on three-component records."""
import argparse
import math

import torch
from torch import nn
from torch.nn import functional as F


class RecordSource:
    def __init__(self, samples, batch):
        self.samples = samples
        self.batch = batch
        self.t = torch.arange(samples) / 100.0

    def draw(self):
        is_tremor = torch.randint(0, 2, (self.batch,))
        f0 = 1.0 + 2.0 * torch.rand(self.batch, 1, 1)
        phase = 2 * math.pi * torch.rand(self.batch, 3, 1)
        tremor = torch.sin(2 * math.pi * f0 * self.t + phase)
        tremor = tremor + 0.5 * torch.sin(4 * math.pi * f0 * self.t + 2 * phase)
        wind = torch.randn(self.batch, 3, self.samples)
        wind = F.avg_pool1d(wind, 9, stride=1, padding=4) * 2.0
        mask = is_tremor.view(-1, 1, 1).float()
        return wind + 0.4 * mask * tremor, is_tremor


class TremorNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.bandpass = nn.Conv1d(3, width, 31, stride=4, padding=15)
        self.envelope = nn.Conv1d(width, width, 9, stride=4, padding=4)
        self.norm = nn.GroupNorm(4, width)
        self.verdict = nn.Linear(2 * width, 2)

    def forward(self, record):
        x = torch.tanh(self.bandpass(record))
        x = F.softplus(self.envelope(x))
        x = self.norm(x)
        pooled = torch.cat([x.mean(dim=2), x.amax(dim=2)], dim=1)
        return self.verdict(pooled)


class EnvelopeMonitor:
    """Follows the level of the envelope layer, to spot dead channels."""

    def __init__(self, layer):
        self.envelopes = []
        self.handle = layer.register_forward_hook(self.note)

    def note(self, module, inputs, output):
        level = output.mean(dim=2)  # <- culprit
        self.envelopes.append(level)  # <- culprit

    def dead_channels(self, floor=-3.0):
        with torch.no_grad():
            levels = torch.cat(self.envelopes)
            return int((levels.mean(dim=0) < floor).sum())

    def close(self):
        self.handle.remove()


def train(args):
    source = RecordSource(args.samples, args.batch)
    net = TremorNet()
    monitor = EnvelopeMonitor(net.envelope)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=args.lr)
    hits = 0
    for it in range(1, args.iterations + 1):
        record, is_tremor = source.draw()
        logits = net(record)
        loss = F.cross_entropy(logits, is_tremor)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        hits += int((logits.argmax(dim=1) == is_tremor).sum())
        if it % 25 == 0:
            print(f"{it:4d}  loss {loss.item():.4f}  accuracy {hits / (25 * args.batch):.3f}")
            hits = 0
    print("dead channels:", monitor.dead_channels())
    monitor.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=512)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--lr", type=float, default=2e-3)
    cli = parser.parse_args()
    torch.manual_seed(9)
    train(cli)
