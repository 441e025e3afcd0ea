# gradwatch-corpus: kind=graph-chain
# holder: self.v | layer.v | net.membrane.v | self.membrane.v | decoder.membrane.v
# first-bad: 1
"""Online decoding of a cursor velocity from simulated neural spikes (leaky integrator)."""
from collections import deque

import torch
from torch import nn


class LeakyIntegrator(nn.Module):
    def __init__(self, n_in, n_out, tau):
        super().__init__()
        self.synapse = nn.Parameter(torch.randn(n_in, n_out) * 0.05)
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.decay = 1.0 - 1.0 / tau
        self.v = None

    def forward(self, spikes):
        current = spikes @ self.synapse + self.bias
        if self.v is None:
            self.v = torch.zeros_like(current)
        self.v = self.decay * self.v + (1 - self.decay) * current  # <- culprit
        return self.v


class Decoder(nn.Module):
    def __init__(self, channels, units):
        super().__init__()
        self.membrane = LeakyIntegrator(channels, units, tau=5.0)
        self.readout = nn.Sequential(nn.Tanh(), nn.Linear(units, 2))

    def forward(self, spikes):
        return self.readout(self.membrane(spikes))


def neural_stream(n_bins, channels, subjects, seed):
    gen = torch.Generator().manual_seed(seed)
    tuning = torch.randn(2, channels, generator=gen)
    vel = torch.zeros(subjects, 2)
    for _ in range(n_bins):
        vel = 0.95 * vel + 0.2 * torch.randn(subjects, 2, generator=gen)
        rate = torch.sigmoid(vel @ tuning - 1.0)
        yield torch.bernoulli(rate, generator=gen), vel.clone()


def fit_online(decoder, stream, lr):
    optimizer = torch.optim.RMSprop(decoder.parameters(), lr=lr)
    criterion = nn.SmoothL1Loss()
    recent = deque(maxlen=25)
    for t, (spikes, vel) in enumerate(stream):
        optimizer.zero_grad(set_to_none=True)
        pred = decoder(spikes)
        err = criterion(pred, vel)
        err.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        recent.append(err.item())
        if (t + 1) % 25 == 0:
            print(f"bin {t + 1:4d}: smooth-l1 {sum(recent) / len(recent):.4f}")
    return sum(recent) / len(recent)


def main():
    torch.manual_seed(21)
    decoder = Decoder(channels=96, units=32)
    stream = neural_stream(n_bins=125, channels=96, subjects=16, seed=2)
    final = fit_online(decoder, stream, lr=2e-3)
    print("last window", round(final, 4))


if __name__ == "__main__":
    main()
