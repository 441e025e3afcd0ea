import torch
import torch.nn as nn


class FastSigmoid(torch.autograd.Function):
    """Heaviside forward, 1/(1+k|v|)^2 backward (Zenke & Ganguli)."""

    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward((1.0 + 10.0 * v.abs()).pow(-2))
        return (v > 0).to(v.dtype)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]


spike = FastSigmoid.apply


class LIF(nn.Module):
    """Threshold 1, soft reset."""

    def __init__(self, n, streams, tau=0.8):
        super().__init__()
        self.tau = tau
        self.shape = (streams, n)
        self.v = None

    def reset(self):
        self.v = torch.zeros(self.shape)

    def forward(self, current):
        if self.v is None:
            self.reset()
        v = torch.add(current, self.v, alpha=self.tau)
        s = spike(v - 1.0)
        self.v = v - s  # <- culprit
        return s


class CursorDecoder(nn.Module):
    def __init__(self, channels, neurons, streams):
        super().__init__()
        self.inp = nn.Linear(channels, neurons)
        self.lif = LIF(neurons, streams)
        self.readout = nn.Linear(neurons, 2)

    def forward(self, counts):
        """counts: (T, streams, channels) -> velocities (streams, 2), rates (streams, neurons)"""
        total = 0.0
        for current in self.inp(counts):
            total = total + self.lif(current)
        rate = total / len(counts)
        return self.readout(rate), rate
