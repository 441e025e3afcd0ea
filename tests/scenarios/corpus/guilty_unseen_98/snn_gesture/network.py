import torch
from torch import nn


class FastSigmoidSpike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).float()

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad / (1 + 10 * v.abs()) ** 2


class Neuron(nn.Module):
    """Base class: something with a membrane voltage."""

    threshold = 1.0

    def __init__(self):
        super().__init__()
        self.mem = None

    def reset(self):
        self.mem = None

    def integrate(self, current):
        raise NotImplementedError

    def forward(self, current):
        if self.mem is None:
            self.mem = torch.zeros_like(current)
        v = self.integrate(current)
        spikes = FastSigmoidSpike.apply(v - self.threshold)
        self.mem = v - spikes.detach() * self.threshold  # <- culprit
        return spikes


class LIF(Neuron):
    def __init__(self, beta=0.8):
        super().__init__()
        self.beta = beta

    def integrate(self, current):
        return self.beta * self.mem + current


class SpikingNet(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.fc1 = nn.Linear(n_in, n_hidden)
        self.hidden = LIF()
        self.readout = nn.Linear(n_hidden, n_out)

    def reset(self):
        for m in self.modules():
            if isinstance(m, Neuron):
                m.reset()

    def forward(self, frames):
        out = 0
        for frame in frames:
            out = out + self.readout(self.hidden(self.fc1(frame)))
        return out / len(frames)
