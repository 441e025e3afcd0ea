# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Leaky integrator network for spike counts, all states in one preallocated tensor."""
import torch
from torch import nn
import torch.nn.functional as F


class LeakyRNN(nn.Module):
    def __init__(self, d_in, units, leak=0.3):
        super().__init__()
        self.units, self.leak = units, leak
        self.win = nn.Linear(d_in, units)
        self.rec = nn.Linear(units, units, bias=False)
        nn.init.orthogonal_(self.rec.weight, gain=0.9)

    def forward(self, stim):
        steps, batch, _ = stim.shape
        drive = self.win(stim)
        states = torch.zeros(steps + 1, batch, self.units)
        for t in range(steps):
            pre = drive[t] + self.rec(states[t])
            states[t + 1] = (1 - self.leak) * states[t] + self.leak * torch.tanh(pre)  # <- culprit
        return states[1:]


class SpikeModel(nn.Module):
    def __init__(self, d_in=3, units=20, neurons=6):
        super().__init__()
        self.core = LeakyRNN(d_in, units)
        self.rate = nn.Linear(units, neurons)

    def forward(self, stim):
        return self.rate(self.core(stim))


def simulate(batch, steps, g, neurons=6):
    stim = torch.randn(steps, batch, 3, generator=g).cumsum(0) * 0.3
    mix = torch.linspace(-1, 1, 3 * neurons).view(3, neurons)
    rates = torch.exp((stim @ mix).clamp(-2, 2))
    return stim, torch.poisson(rates, generator=g)


def bits_per_spike(log_rate, counts):
    mean = counts.mean((0, 1), keepdim=True).clamp_min(1e-3)
    ll = F.poisson_nll_loss(log_rate, counts, reduction="sum")
    null = F.poisson_nll_loss(mean.log().expand_as(counts), counts, reduction="sum")
    return float((null - ll) / counts.sum())


def main(iters=420):
    torch.manual_seed(29)
    g = torch.Generator().manual_seed(29)
    model = SpikeModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(iters):
        stim, counts = simulate(12, 10, g)
        log_rate = model(stim)
        loss = F.poisson_nll_loss(log_rate, counts)
        activity = model.rate.weight.pow(2).mean()
        opt.zero_grad()
        (loss + 1e-3 * activity).backward()
        opt.step()
        if it % 60 == 0:
            print(f"{it} nll {loss.item():.4f} bits {bits_per_spike(log_rate.detach(), counts):.4f}")


if __name__ == "__main__":
    main()
