# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(50)


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).float()

    @staticmethod
    def backward(ctx, g):
        (v,) = ctx.saved_tensors
        return g / (1 + 5 * v.abs()) ** 2


class Neuron(nn.Module):
    registry = []

    def __init__(self, record=False):
        super().__init__()
        self.decay = nn.Parameter(torch.tensor(2.0))
        self.v, self.trace, self.record = None, [], record
        Neuron.registry.append(self)

    def reset(self):
        self.v = None
        self.trace.clear()

    def forward(self, current):
        self.v = current if self.v is None else torch.sigmoid(self.decay) * self.v + current
        s = Spike.apply(self.v - 1.0)
        self.v = self.v * (1 - s)
        if self.record:
            self.trace.append(s)
        return s


class SpikingClassifier(nn.Module):
    def __init__(self, n_in=16, hidden=24, n_out=3, steps=8):
        super().__init__()
        self.steps = steps
        self.body = nn.Sequential(nn.Linear(n_in, hidden), Neuron(record=True), nn.Linear(hidden, n_out), Neuron())

    def forward(self, rates):
        counts = 0.0
        for _ in range(self.steps):
            counts = counts + self.body(torch.bernoulli(rates))
        return counts


def reset_all():
    for n in Neuron.registry:
        n.reset()


def firing_rate():
    return torch.stack([torch.stack(n.trace).mean() for n in Neuron.registry if n.record]).mean()


def main():
    net = SpikingClassifier()
    opt = torch.optim.Adam(net.parameters(), 5e-3)
    proto = torch.rand(3, 16)
    acc = 0.0
    for it in range(100):
        y = torch.randint(0, 3, (32,))
        reset_all()
        counts = net(proto[y])
        rate = firing_rate()
        loss = F.cross_entropy(counts, y) + (rate - 0.2).pow(2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc = 0.9 * acc + 0.1 * (counts.argmax(1) == y).float().mean().item()
        if it % 25 == 24:
            print(it, f"acc {acc:.2f} rate {rate.item():.2f}")


if __name__ == "__main__":
    main()
