# gradwatch-corpus: kind=graph-chain
# holder: self.v | layer.v | net.hidden.v
# first-bad: 81
# notice: 5
"""
Online spiking detector for anomalies in a simulated pump signal.

The membrane potential of the hidden layer runs on across time steps. In the calibration phase the layer
is reset between recordings; afterwards it streams without interruption.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CALIBRATION = 80
TOTAL = 300
BATCH = 12
CHANNELS = 6


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, u):
        ctx.save_for_backward(u)
        return (u > 0).float()

    @staticmethod
    def backward(ctx, g):
        (u,) = ctx.saved_tensors
        return g / (1.0 + 4.0 * u.abs()).pow(2)


class LIFLayer(nn.Module):
    def __init__(self, n_in, n_out, decay=0.85, threshold=0.6):
        super().__init__()
        self.inp = nn.Linear(n_in, n_out)
        self.decay = decay
        self.threshold = threshold
        self.v = None

    def reset(self):
        self.v = None

    def forward(self, x):
        drive = self.inp(x)
        if self.v is None:
            self.v = drive
        else:
            self.v = self.decay * self.v + drive  # <- culprit
        s = Spike.apply(self.v - self.threshold)
        self.v = self.v - s.detach() * self.threshold  # <- culprit
        return s


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = LIFLayer(CHANNELS, 24)
        self.readout = nn.Linear(24, 1)

    def forward(self, x):
        return self.readout(self.hidden(x)).squeeze(-1)


class PumpStream:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(BATCH, CHANNELS, generator=self.g) * math.tau
        self.fault = torch.zeros(BATCH)
        self.t = 0

    def step(self):
        self.t += 1
        flip = torch.rand(BATCH, generator=self.g) < 0.05
        self.fault = torch.where(flip, 1.0 - self.fault, self.fault)
        x = torch.sin(0.3 * self.t + self.phase)
        x = x + self.fault[:, None] * 0.8 + 0.2 * torch.randn(BATCH, CHANNELS, generator=self.g)
        return x, self.fault.clone()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(4)
    stream = PumpStream(seed=9)
    net = Detector()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.8)

    correct = 0.0
    for it in range(TOTAL):
        if it <= CALIBRATION:
            net.hidden.reset()
        x, y = stream.step()
        logit = net(x)
        loss = F.binary_cross_entropy_with_logits(logit, y)
        rate_penalty = 0.01 * net.hidden.v.pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        rate_penalty.backward(retain_graph=True)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        correct += ((logit > 0).float() == y).float().mean().item()
        if (it + 1) % 50 == 0:
            print(f"t={it + 1}  loss {loss.item():.3f}  acc {correct / 50:.2f}")
            correct = 0.0


if __name__ == "__main__":
    main()
