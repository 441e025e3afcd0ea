# gradwatch-corpus: kind=none
"""Spiking network learnt online with eligibility traces: traces go on for ever, graphs live for one tick."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(83)


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, potential, width):
        ctx.save_for_backward(potential)
        ctx.width = width
        return (potential > 0).float()

    @staticmethod
    def backward(ctx, grad):
        potential, = ctx.saved_tensors
        return grad * torch.clamp(1 - potential.abs() / ctx.width, min=0.0), None


class OnlineLayer(nn.Module):
    def __init__(self, inputs, cells, leak=0.9):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(cells, inputs) / inputs ** 0.5)
        self.leak = leak
        self.register_buffer("trace", torch.zeros(inputs))
        self.register_buffer("voltage", torch.zeros(cells))

    def forward(self, spikes_in):
        self.trace = self.leak * self.trace + spikes_in
        drive = self.weight @ self.trace
        # value: the leaky voltage; gradient: through the trace only
        before = self.voltage
        voltage = (self.leak * before + self.weight @ spikes_in).detach()
        potential = voltage + drive - drive.detach()
        spikes = Spike.apply(potential - 1.0, 0.8)
        self.voltage = voltage * (1 - spikes.detach())
        return spikes


class PatternNet(nn.Module):
    def __init__(self, inputs=20, cells=24, leak=0.85):
        super().__init__()
        self.hidden = OnlineLayer(inputs, cells)
        self.read = nn.Linear(cells, 2)
        self.leak = leak
        self.register_buffer("rate", torch.zeros(cells))

    def forward(self, x):
        spikes = self.hidden(x)
        rate = self.leak * self.rate + (1 - self.leak) * spikes
        self.rate = rate.detach()
        return self.read(rate)


def stimulus(ticks, inputs=20, dwell=15):
    rates = torch.rand(2, inputs) * 0.6
    kind = 0
    for t in range(ticks):
        if t % dwell == 0:
            kind = int(torch.randint(0, 2, (1,)))
        yield torch.bernoulli(rates[kind]), torch.tensor(kind)


def main(ticks=400, update_every=4):
    net = PatternNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
    score = 0.5
    for t, (x, kind) in enumerate(stimulus(ticks), start=1):
        logits = net(x)
        loss = nn.functional.cross_entropy(logits[None], kind[None]) / update_every
        loss.backward()
        if t % update_every == 0:
            optimizer.step()
            optimizer.zero_grad()
        score += 0.02 * (float(logits.argmax() == kind) - score)
        if t % 100 == 0:
            print(f"tick {t} score {score:.3f} mean rate {net.rate.mean().item():.3f}")


if __name__ == "__main__":
    main()
