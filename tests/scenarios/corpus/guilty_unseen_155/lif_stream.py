# gradwatch-corpus: kind=graph-chain
# holder: self.mem | self.lif.mem | net.lif.mem | lif.mem
# also: retain-needless
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)


class SurrogateSpike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v):
        ctx.save_for_backward(v)
        return (v > 0).float()

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad / (1 + 10 * v.abs()) ** 2


class StatefulNeuron(nn.Module):
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
        self.mem = self.integrate(current)  # <- culprit
        spike = SurrogateSpike.apply(self.mem - self.threshold)
        self.mem = self.mem - self.threshold * spike.detach()  # <- culprit
        return spike


class Lif(StatefulNeuron):
    def __init__(self, beta=0.9, threshold=1.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def integrate(self, current):
        return self.beta * self.mem + current  # <- culprit


class EventNet(nn.Module):
    def __init__(self, n_in=30, hidden=40, n_out=4):
        super().__init__()
        self.inp = nn.Linear(n_in, hidden)
        self.lif = Lif()
        self.out = nn.Linear(hidden, n_out)

    def forward(self, events):
        return self.out(self.lif(self.inp(events)))


def event_stream(n, batch=16):
    rates = torch.rand(4, 30)
    label = torch.randint(0, 4, (batch,))
    for t in range(n):
        if t % 10 == 0:
            label = torch.randint(0, 4, (batch,))
        yield torch.bernoulli(rates[label] * 0.6), label


def main():
    net = EventNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    hits = seen = 0
    for t, (events, label) in enumerate(event_stream(80)):
        logits = net(events)
        loss = F.cross_entropy(logits, label)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        hits += (logits.argmax(1) == label).sum().item()
        seen += len(label)
        if t % 20 == 19:
            print(f"t={t} loss={loss.item():.3f} acc={hits / seen:.3f}")
            hits = seen = 0


if __name__ == "__main__":
    main()
