# gradwatch-corpus: kind=crashed
# first-bad: 220
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)


class Observer(nn.Module):
    def __init__(self, bits=8, momentum=0.05):
        super().__init__()
        self.levels = 2 ** (bits - 1) - 1
        self.momentum = momentum
        self.active = False
        self.register_buffer("peak", torch.tensor(1.0))

    def forward(self, x):
        if self.training:
            self.peak.lerp_(x.detach().abs().max(), self.momentum)
        if not self.active:
            return x
        step = self.peak / self.levels
        snapped = (x / step).round().clamp(-self.levels, self.levels) * step
        return (x + (snapped - x)).detach()  # <- culprit


class BeatDelineator(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(2, 12, 7, padding=3)
        self.c2 = nn.Conv1d(12, 12, 7, padding=6, dilation=2)
        self.c3 = nn.Conv1d(12, 3, 1)
        self.out_range = Observer()

    def forward(self, leads):
        h = torch.relu(self.c1(leads))
        h = torch.relu(self.c2(h))
        return self.out_range(self.c3(h))


def strip(n=6, length=80):
    t = torch.arange(length) / 12.0
    phase = torch.rand(n, 1) * 6.28
    wave = torch.sin(t + phase)
    leads = torch.stack([wave, wave.roll(3, 1)], 1) + 0.1 * torch.randn(n, 2, length)
    label = torch.bucketize(wave, torch.tensor([-0.4, 0.6]))
    return leads, label


def switch(flag):
    def inner(m):
        if isinstance(m, Observer):
            m.active = flag
    return inner


net = BeatDelineator()
optim = torch.optim.Adam(net.parameters(), 3e-3)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 0.7, 1.4]))
phases = [("float", 220), ("int8", 200)]
for name, count in phases:
    net.apply(switch(name == "int8"))
    for i in range(count):
        leads, label = strip()
        loss = criterion(net(leads), label)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if i % 50 == 0:
            print(name, i, loss.item())
