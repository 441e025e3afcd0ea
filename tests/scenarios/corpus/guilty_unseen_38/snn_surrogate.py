# gradwatch-corpus: kind=inplace-modified
# first-bad: 24
"""Leaky integrate-and-fire classifier with surrogate gradients; input rates are ramped up."""
import argparse

import torch
from torch import nn


class SpikeFn(torch.autograd.Function):
    """Heaviside forward, fast-sigmoid derivative backward (Zenke & Ganguli)."""

    slope = 10.0

    @staticmethod
    def forward(ctx, v, threshold):
        ctx.save_for_backward(v)
        ctx.threshold = threshold
        return (v >= threshold).to(v.dtype)

    @staticmethod
    def backward(ctx, grad):
        v, = ctx.saved_tensors
        s = SpikeFn.slope * (v - ctx.threshold).abs() + 1
        return grad / s.pow(2), None


spike = SpikeFn.apply


class LIFLayer(nn.Module):
    def __init__(self, n_in, n_out, beta=0.9, threshold=1.0):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out, bias=False)
        self.beta, self.threshold = beta, threshold

    def forward(self, train):
        # train: (time, batch, n_in)
        v = torch.zeros(train.size(1), self.fc.out_features)
        out = []
        for x in train:
            v = self.beta * v + self.fc(x)
            s = spike(v, self.threshold)
            fired = s.detach().bool()
            if fired.any():
                v[fired] = 0.0  # <- culprit
            out.append(s)
        return torch.stack(out)


class SpikingNet(nn.Module):
    def __init__(self, n_in=20, hidden=40, classes=3):
        super().__init__()
        self.lif = LIFLayer(n_in, hidden)
        self.direct = nn.Linear(n_in, classes)
        self.readout = nn.Linear(hidden, classes)

    def forward(self, train):
        spikes = self.lif(train)
        rate = spikes.mean(0)
        return self.readout(rate) + self.direct(train.mean(0)), rate.mean()


def poisson_batch(n, rates, gain, steps=25):
    """Class-dependent firing rates turned into spike trains."""
    y = torch.randint(len(rates), (n,))
    p = (gain * rates[y]).clamp(max=0.95)
    return torch.bernoulli(p.expand(steps, *p.shape)), y


def gain_at(it, ramp):
    """Silent at first, so that the direct path settles before the spiking layer wakes up."""
    return 0.0 if it < ramp else min(1.0, 0.25 + 0.02 * (it - ramp))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=100)
    ap.add_argument("--ramp", type=int, default=24)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()

    torch.manual_seed(6)
    rates = 0.05 + 0.5 * torch.rand(3, 20) ** 2
    net = SpikingNet()
    nn.init.uniform_(net.lif.fc.weight, 0.0, 0.35)
    opt = torch.optim.Adamax(net.parameters(), lr=4e-3)

    for it in range(args.iters):
        x, y = poisson_batch(args.batch, rates, gain_at(it, args.ramp))
        logits, activity = net(x)
        loss = nn.functional.cross_entropy(logits, y) + 0.01 * (activity - 0.1).pow(2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 8 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"{it:3d}: loss {loss.item():.3f} acc {acc:.2f} activity {activity.item():.3f}")


if __name__ == "__main__":
    main()
