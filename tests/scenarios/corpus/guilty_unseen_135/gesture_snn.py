# gradwatch-corpus: kind=graph-chain
# holder: self.membrane | self.lif.membrane | net.lif.membrane | self.net.lif.membrane | trainer.net.lif.membrane
# first-bad: 1
# notice: 5
"""Spiking net on an event-camera stream. One frame per update, surrogate gradient."""
import torch

torch.set_num_threads(1)
import torch.nn as nn


class Surrogate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).to(v.dtype)

    @staticmethod
    def backward(ctx, g):
        (v,) = ctx.saved_tensors
        return g / (1 + 10 * v.abs()) ** 2


class LIF(nn.Module):
    def __init__(self, units, beta=0.85, threshold=1.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold
        self.units = units
        self.membrane = None

    def forward(self, current):
        if self.membrane is None:
            self.membrane = torch.zeros_like(current)
        v = self.beta * self.membrane + current
        spikes = Surrogate.apply(v - self.threshold)
        self.membrane = v - self.threshold * spikes  # <- culprit
        return spikes


class GestureNet(nn.Module):
    def __init__(self, pixels=36, hidden=20, gestures=4):
        super().__init__()
        self.synapse = nn.Linear(pixels, hidden)
        self.lif = LIF(hidden)
        self.readout = nn.Linear(hidden, gestures)

    def forward(self, events):
        return self.readout(self.lif(self.synapse(events)))


class EventStream:
    def __init__(self, batch=5, pixels=36, gestures=4):
        self.rates = torch.rand(gestures, pixels)
        self.label = torch.randint(0, gestures, (batch,))

    def __next__(self):
        return torch.bernoulli(self.rates[self.label]), self.label


class OnlineTrainer:
    def __init__(self, net, lr=2e-3):
        self.net = net
        self.opt = torch.optim.Adamax(net.parameters(), lr=lr)

    def tick(self, events, label):
        loss = nn.functional.cross_entropy(self.net(events), label)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(17)
    stream, trainer = EventStream(), OnlineTrainer(GestureNet())
    for t in range(190):
        value = trainer.tick(*next(stream))
        if t % 50 == 0:
            print(f"frame {t}: {value:.4f}")
