# gradwatch-corpus: kind=inplace-modified
# holder: self.memory | bank.memory
# first-bad: 20
"""Instance discrimination with a memory bank (Wu et al., 2018) on synthetic spectra."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--n_instances", type=int, default=400)
    p.add_argument("--bins", type=int, default=80)
    p.add_argument("--dim", type=int, default=24)
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--frozen_epochs", type=int, default=2)
    p.add_argument("--tau", type=float, default=0.1)
    p.add_argument("--momentum", type=float, default=0.5)
    p.add_argument("--lr", type=float, default=2e-3)
    return p.parse_args([])


class Spectra:
    def __init__(self, n, bins):
        grid = torch.linspace(0.0, 1.0, bins)
        centre = torch.rand(n, 3, 1)
        width = 0.02 + 0.05 * torch.rand(n, 3, 1)
        height = 0.3 + torch.rand(n, 3, 1)
        self.clean = (height * torch.exp(-((grid - centre) / width) ** 2)).sum(1)

    def __len__(self):
        return self.clean.size(0)

    def view(self, idx):
        x = self.clean[idx]
        gain = 0.8 + 0.4 * torch.rand(x.size(0), 1)
        return gain * x + 0.05 * torch.randn_like(x)


class Net(nn.Module):
    def __init__(self, bins, dim):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 12, 7, stride=2, padding=3)
        self.conv2 = nn.Conv1d(12, 24, 5, stride=2, padding=2)
        self.fc = nn.Linear(24 * (bins // 4), dim)

    def forward(self, x):
        h = F.relu(self.conv1(x.unsqueeze(1)))
        h = F.relu(self.conv2(h))
        return F.normalize(self.fc(h.flatten(1)), dim=-1)


class InstanceBank(nn.Module):
    def __init__(self, n, dim, tau, momentum):
        super().__init__()
        self.tau = tau
        self.momentum = momentum
        self.register_buffer("memory", F.normalize(torch.randn(n, dim), dim=-1))

    def scores(self, v):
        return torch.einsum("bd,nd->bn", v, self.memory) / self.tau  # <- culprit

    @torch.no_grad()
    def refresh(self, v, idx):
        mixed = self.momentum * self.memory[idx] + (1.0 - self.momentum) * v
        self.memory[idx] = F.normalize(mixed, dim=-1)  # <- culprit

    def forward(self, v, idx, update):
        logits = self.scores(v)
        if update:
            self.refresh(v, idx)  # <- culprit
        return logits


def epoch_batches(n, bs):
    return torch.randperm(n).split(bs)


def main():
    args = options()
    torch.manual_seed(101)
    data = Spectra(args.n_instances, args.bins)
    net = Net(args.bins, args.dim)
    bank = InstanceBank(len(data), args.dim, args.tau, args.momentum)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        tot = 0.0
        hits = 0
        for idx in epoch_batches(len(data), args.batch):
            v = net(data.view(idx))
            logits = bank(v, idx, update=epoch >= args.frozen_epochs)
            loss = F.cross_entropy(logits, idx)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * idx.numel()
            hits += (logits.argmax(1) == idx).sum().item()
        print(f"epoch {epoch} nce {tot / len(data):.3f} recall@1 {hits / len(data):.3f}")


if __name__ == "__main__":
    main()
