# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
# notice: 0
"""Translating Raman spectra between two instruments with an adversarial critic."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(123)

BINS = 32


def spectrum(n, shift, gain):
    grid = torch.linspace(0, 1, BINS)
    centre = 0.2 + 0.6 * torch.rand(n, 1)
    width = 0.03 + 0.04 * torch.rand(n, 1)
    peak = torch.exp(-((grid - centre - shift) / width) ** 2)
    return gain * peak + 0.05 * grid + 0.02 * torch.randn(n, BINS)


class Translator(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv1d(1, 6, 5, padding=2)
        self.mid = nn.Conv1d(6, 6, 5, padding=2)
        self.up = nn.Conv1d(6, 1, 5, padding=2)

    def forward(self, s):
        h = torch.tanh(self.down(s.unsqueeze(1)))
        h = torch.tanh(self.mid(h)) + h
        return s + self.up(h).squeeze(1)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(BINS, 24), nn.LeakyReLU(0.2), nn.Linear(24, 24), nn.LeakyReLU(0.2),
                                 nn.Linear(24, 1))

    def forward(self, s):
        return self.net(s).squeeze(-1)


class Experiment:
    def __init__(self):
        self.trans, self.critic = Translator(), Critic()
        self.opt_t = torch.optim.Adam(self.trans.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.bce = nn.BCEWithLogitsLoss()

    def forward_losses(self, a, b):
        moved = self.trans(a)
        on_real, on_moved = self.critic(b), self.critic(moved.detach())
        loss_c = self.bce(on_real, torch.ones_like(on_real)) + self.bce(on_moved, torch.zeros_like(on_moved))
        verdict = self.critic(moved)
        keep = (moved.sum(1) - a.sum(1)).pow(2).mean()
        loss_t = self.bce(verdict, torch.ones_like(verdict)) + 0.01 * keep  # <- culprit
        return loss_c, loss_t

    def apply(self, opt, loss):
        opt.zero_grad()
        loss.backward()
        opt.step()  # <- culprit

    def iteration(self):
        a, b = spectrum(16, 0.0, 1.0), spectrum(16, 0.05, 0.8)
        loss_c, loss_t = self.forward_losses(a, b)
        self.apply(self.opt_c, loss_c)  # <- culprit
        self.apply(self.opt_t, loss_t)
        return loss_c.item(), loss_t.item()


def main():
    exp = Experiment()
    for it in range(300):
        c, t = exp.iteration()
        if it % 50 == 0:
            print(f"{it} critic {c:.3f} translator {t:.3f}")


main()
