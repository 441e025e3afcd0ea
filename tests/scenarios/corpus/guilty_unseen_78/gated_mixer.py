# gradwatch-corpus: kind=inplace-modified
# holder: g | gate | loss | y | pred
# first-bad: 15
# notice: 0
"""Gated residual mixer for multichannel flow prediction."""
import torch
import torch.nn.functional as F
from torch import nn


def keep_open(gate, floor):
    """Stops a gate from closing for good."""
    if floor > 0:
        gate.clamp_(min=floor)  # <- culprit
    return gate


class MixerBlock(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.value = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)
        self.shift = nn.Parameter(torch.zeros(dim))
        self.norm = nn.LayerNorm(dim)
        self.floor = 0.0
        self.register_buffer("usage", torch.zeros(dim))

    def forward(self, x):
        h = self.value(x)
        h += self.shift
        h.relu_()
        g = torch.sigmoid(self.gate(x))
        g = keep_open(g, self.floor)  # <- culprit
        if self.training:
            self.usage.mul_(0.99).add_(g.detach().mean(0), alpha=0.01)
        y = g * h
        y.add_(x)
        return self.norm(y)


class FlowNet(nn.Module):
    def __init__(self, channels, dim, depth):
        super().__init__()
        self.stem = nn.Linear(channels, dim)
        self.blocks = nn.ModuleList(MixerBlock(dim) for _ in range(depth))
        self.head = nn.Linear(dim, channels)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        out = self.head(x)
        out *= 0.5
        return out


class FloorSchedule:
    """Raises the floor of every gate once the first phase is over."""

    def __init__(self, net, start, top, ramp):
        self.net, self.start, self.top, self.ramp = net, start, top, ramp

    def on_step(self, step):
        frac = max(0.0, min(1.0, (step - self.start + 1) / self.ramp))
        for block in self.net.blocks:
            block.floor = self.top * frac


class WeightAverage:
    def __init__(self, net, rate=0.02):
        self.rate = rate
        self.slow = {k: p.detach().clone() for k, p in net.named_parameters()}

    @torch.no_grad()
    def on_end(self, net):
        for k, p in net.named_parameters():
            self.slow[k].lerp_(p, self.rate)


def batches(n, size, channels):
    mix = torch.linalg.qr(torch.randn(channels, channels))[0]
    for _ in range(n):
        x = torch.randn(size, channels)
        noise = torch.randn(size, channels).mul_(0.05)
        yield x, torch.tanh(x @ mix).add_(noise)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(12)
    net = FlowNet(channels=10, dim=24, depth=3)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    schedule = FloorSchedule(net, start=15, top=0.1, ramp=20)
    average = WeightAverage(net)
    for step, (x, target) in enumerate(batches(90, 32, 10)):
        schedule.on_step(step)
        pred = net(x)
        loss = F.smooth_l1_loss(pred, target)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        average.on_end(net)
        if step % 15 == 0:
            print(f"{step:3d} loss {loss.item():.4f} open {net.blocks[0].usage.mean().item():.3f}")


if __name__ == "__main__":
    main()
