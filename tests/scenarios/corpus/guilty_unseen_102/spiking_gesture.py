# gradwatch-corpus: kind=graph-chain
# holder: self.v | self.lif.v | net.lif.v
# first-bad: 1
# notice: 5
"""Event-camera gesture stream classified by a small spiking net (surrogate gradient).

The sensor never pauses, so the membrane potential lives on between chunks.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

PIXELS, HIDDEN, CLASSES = 36, 20, 4
CHUNK, STREAMS, CHUNKS = 4, 8, 160


class SpikeFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).float()

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad / (1 + 10 * v.abs()) ** 2


class LIF(nn.Module):
    def __init__(self, width, tau=0.85, threshold=1.0):
        super().__init__()
        self.width, self.tau, self.threshold = width, tau, threshold
        self.v = None

    def reset(self):
        self.v = None

    def forward(self, current):
        if self.v is None:
            self.v = current.new_zeros(current.shape)
        v = self.tau * self.v + current
        spike = SpikeFn.apply(v - self.threshold)
        self.v = v - spike.detach() * self.threshold  # <- culprit
        return spike


class GestureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(PIXELS, HIDDEN)
        self.lif = LIF(HIDDEN)
        self.out = nn.Linear(HIDDEN, CLASSES)

    def forward(self, events):
        rate = 0.0
        for frame in events:
            rate = rate + self.lif(self.inp(frame))
        return self.out(rate / len(events))


class EventStream:
    """STREAMS parallel cameras; each keeps a gesture for a while, then changes."""

    def __init__(self):
        self.proto = torch.rand(CLASSES, PIXELS) ** 3
        self.label = torch.randint(0, CLASSES, (STREAMS,))

    def __iter__(self):
        for _ in range(CHUNKS):
            flip = torch.rand(STREAMS) < 0.1
            self.label = torch.where(flip, torch.randint(0, CLASSES, (STREAMS,)), self.label)
            p = self.proto[self.label].expand(CHUNK, -1, -1)
            yield torch.bernoulli(p), self.label


def run():
    torch.set_num_threads(1)
    torch.manual_seed(60)
    net = GestureNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    right = seen = 0
    for k, (events, label) in enumerate(EventStream()):
        logits = net(events)
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        right += (logits.argmax(-1) == label).sum().item()
        seen += STREAMS
        if (k + 1) % 40 == 0:
            print(f"chunk {k + 1}: loss {loss.item():.3f} running acc {right / seen:.3f}")
            right = seen = 0


run()
