import torch
from torch import nn


class FastSigmoidSpike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, slope):
        ctx.save_for_backward(v)
        ctx.slope = slope
        return (v > 0).to(v.dtype)

    @staticmethod
    def backward(ctx, grad):
        v, = ctx.saved_tensors
        return grad / (1 + ctx.slope * v.abs()) ** 2, None


class SpikingDecoder(nn.Module):
    def __init__(self, inputs, hidden, classes, decay=0.85):
        super().__init__()
        self.inp = nn.Linear(inputs, hidden)
        self.out = nn.Linear(hidden, classes)
        self.decay = decay
        nn.init.constant_(self.inp.bias, 0.2)

    def forward(self, spikes):
        current = self.inp(spikes)
        v = torch.zeros_like(current[:, 0])
        emitted = []
        for t in range(spikes.shape[1]):
            v = self.decay * v + current[:, t]
            s = FastSigmoidSpike.apply(v - 1.0, 5.0)
            v = v - s
            emitted.append(s)
        hidden = torch.stack(emitted, 1)
        return self.out(hidden.mean(1)), hidden.sum(1)
