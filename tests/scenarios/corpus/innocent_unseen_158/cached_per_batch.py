# gradwatch-corpus: kind=none
"""Sequence critic with spectral and weight normalisation, cached over the time steps of a batch."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils import parametrize
from torch.nn.utils.parametrizations import spectral_norm, weight_norm

torch.set_num_threads(1)
torch.manual_seed(15)


class SymmetricPart(nn.Module):
    def forward(self, w):
        return 0.5 * (w + w.t())


class CriticCell(nn.Module):
    def __init__(self, inputs=6, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.read = weight_norm(nn.Linear(inputs, hidden))
        self.carry = spectral_norm(nn.Linear(hidden, hidden, bias=False))
        self.inhibit = nn.Linear(hidden, hidden, bias=False)
        parametrize.register_parametrization(self.inhibit, "weight", SymmetricPart())

    def forward(self, x, h):
        return torch.tanh(self.read(x) + self.carry(h) - 0.1 * self.inhibit(h))


class SequenceCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = CriticCell()
        self.head = nn.Linear(24, 1)

    def forward(self, seq):
        h = seq.new_zeros(seq.size(0), self.cell.hidden)
        for x in seq.unbind(1):
            h = self.cell(x, h)
        return self.head(h).squeeze(-1)


def ar_process(n, coefficient, length=10):
    x = [torch.randn(n, 6)]
    for _ in range(length - 1):
        x.append(coefficient * x[-1] + 0.4 * torch.randn(n, 6))
    return torch.stack(x, dim=1)


def hinge(critic, real, fake):
    with parametrize.cached():
        r, f = critic(real), critic(fake)
        loss = F.relu(1 - r).mean() + F.relu(1 + f).mean()
        return loss, (r > f).float().mean().item()


def main():
    critic = SequenceCritic()
    opt = torch.optim.Adam(critic.parameters(), lr=2e-3)
    for step in range(100):
        loss, wins = hinge(critic, ar_process(24, 0.9), ar_process(24, 0.3))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 25 == 24:
            print(f"step {step + 1} hinge {loss.item():.4f} wins {wins:.2f}")


if __name__ == "__main__":
    main()
