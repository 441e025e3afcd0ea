# gradwatch-corpus: kind=second-backward
# holder: resp
# first-bad: 3
# notice: 0
"""Amortised EM for assigning two-photon calcium transients to cell classes.

The E-step trains a recognition network on the free energy; the M-step, run
once for every ``m_every`` E-steps, moves the kinetic constants of the classes.
"""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

FRAMES = 40


def double_exponential(t, rise, decay):
    return torch.exp(-t / decay) - torch.exp(-t / rise)


def synth_transients(n, seed):
    """Transients from three classes with different rise and decay times."""
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(FRAMES) / 10.0
    rise = torch.tensor([0.10, 0.20, 0.45])
    decay = torch.tensor([0.60, 1.20, 2.50])
    kind = torch.randint(0, 3, (n,), generator=g)
    clean = double_exponential(t, rise[kind][:, None], decay[kind][:, None])
    return clean + 0.05 * torch.randn(n, FRAMES, generator=g), kind


class Recogniser(nn.Module):
    """q(class | transient)."""

    def __init__(self, k):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(FRAMES, 32), nn.ELU(), nn.Linear(32, k))

    def forward(self, y):
        return torch.softmax(self.net(y), dim=-1)


class KineticBank(nn.Module):
    """Per-class response templates and a shared noise level."""

    def __init__(self, k):
        super().__init__()
        self.log_rise = nn.Parameter(torch.linspace(-2.5, -1.0, k))
        self.log_gap = nn.Parameter(torch.linspace(-1.0, 0.5, k))
        self.log_sigma = nn.Parameter(torch.tensor(-1.5))
        self.register_buffer("t", torch.arange(FRAMES) / 10.0)

    def templates(self):
        rise = self.log_rise.exp()[:, None]
        return double_exponential(self.t, rise, rise + self.log_gap.exp()[:, None])

    def log_lik(self, y):
        z = (y[:, None, :] - self.templates()) / self.log_sigma.exp()
        return -0.5 * z.square().sum(-1) - FRAMES * self.log_sigma


def free_energy(resp, log_lik):
    entropy = -(resp * (resp + 1e-8).log()).sum(-1)
    return -((resp * log_lik).sum(-1) + entropy).mean() / FRAMES


def endless(loader):
    while True:
        yield from loader


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--m-every", type=int, default=4)
    ap.add_argument("--classes", type=int, default=3)
    args = ap.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(0)
    y, _ = synth_transients(600, seed=1)
    stream = endless(DataLoader(TensorDataset(y), batch_size=64, shuffle=True))

    recogniser, bank = Recogniser(args.classes), KineticBank(args.classes)
    e_opt = torch.optim.Adam(recogniser.parameters(), lr=3e-3)
    m_opt = torch.optim.Adam(bank.parameters(), lr=1e-2)

    for step in range(args.steps):
        (batch,) = next(stream)

        # E-step: the bank is held fixed.
        resp = recogniser(batch)
        with torch.no_grad():
            log_lik = bank.log_lik(batch)
        e_loss = free_energy(resp, log_lik)
        e_opt.zero_grad()
        e_loss.backward()
        e_opt.step()

        # M-step: expected complete-data log-likelihood under the posterior.
        if (step + 1) % args.m_every == 0:
            m_loss = -(resp * bank.log_lik(batch)).sum(-1).mean() / FRAMES  # <- culprit
            m_opt.zero_grad()
            m_loss.backward()  # <- culprit
            m_opt.step()

        if step % 20 == 0:
            print(f"step {step:3d}  free energy {e_loss.item():.4f}  "
                  f"sigma {bank.log_sigma.exp().item():.3f}")

    print("rise times:", [round(v, 3) for v in bank.log_rise.exp().tolist()])


if __name__ == "__main__":
    main()
