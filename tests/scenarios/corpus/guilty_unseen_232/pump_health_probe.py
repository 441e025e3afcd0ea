# gradwatch-corpus: kind=graph-held
# holder: self.trace | probe.trace
# first-bad: 1
"""Pump maintenance: 1-D conv classifier on vibration windows, with a probe for activation drift."""
import math

import torch
from torch import nn

CLASSES = ("healthy", "cavitation", "bearing", "misaligned")


class VibrationBench:
    def __init__(self, length, seed):
        self.length = length
        self.gen = torch.Generator().manual_seed(seed)
        self.tones = torch.tensor([3.0, 9.0, 17.0, 28.0])

    def windows(self, n):
        label = torch.randint(0, len(CLASSES), (n,), generator=self.gen)
        t = torch.linspace(0, 1, self.length)
        phase = torch.rand(n, 1, generator=self.gen) * 2 * math.pi
        wave = torch.sin(2 * math.pi * self.tones[label].unsqueeze(1) * t + phase)
        noise = 0.5 * torch.randn(n, self.length, generator=self.gen)
        return (wave + noise).unsqueeze(1), label


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 7, stride=2, padding=3)
        self.bn = nn.BatchNorm1d(cout)

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)))


class PumpNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.b1 = Block(1, 12)
        self.b2 = Block(12, 24)
        self.b3 = Block(24, 24)
        self.head = nn.Linear(24, len(CLASSES))

    def forward(self, x):
        x = self.b3(self.b2(self.b1(x)))
        return self.head(x.mean(-1))


class ActivationProbe:
    """Mean activation a channel, by block, so that drift can be drawn after the run."""

    def __init__(self, net):
        self.trace = {}
        self.handles = []
        for name, module in net.named_children():
            if isinstance(module, Block):
                self.trace[name] = []
                self.handles.append(module.register_forward_hook(self._make(name)))

    def _make(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.trace[name].append(output.mean(dim=(0, 2)))  # <- culprit

        return hook

    def drift(self, name, span=10):
        rows = torch.stack([r.detach() for r in self.trace[name]])
        return (rows[-span:].mean(0) - rows[:span].mean(0)).abs().mean().item()

    def close(self):
        for h in self.handles:
            h.remove()


def evaluate(net, bench):
    net.eval()
    with torch.no_grad():
        x, y = bench.windows(128)
        acc = (net(x).argmax(1) == y).float().mean().item()
    net.train()
    return acc


def main():
    torch.manual_seed(1)
    bench = VibrationBench(96, 31)
    net = PumpNet()
    probe = ActivationProbe(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for step in range(130):
        x, y = bench.windows(32)
        loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 39:
            print(f"step {step + 1} loss {loss.item():.3f} acc {evaluate(net, bench):.3f}")
    probe.close()
    for name in probe.trace:
        print(name, f"drift {probe.drift(name):.4f}")


if __name__ == "__main__":
    main()
