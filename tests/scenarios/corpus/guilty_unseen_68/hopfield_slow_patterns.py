# gradwatch-corpus: kind=graph-chain
# holder: self._slow | self.slow | slow | net.bank._slow | net.bank.slow | self.bank._slow | self.bank.slow
# first-bad: 1
# notice: 5
"""Modern Hopfield associative memory with learned patterns, trained to complete corrupted cues."""

import torch
import torch.nn.functional as F
from torch import nn


class Consolidating:
    """Mixin: a slowly moving twin of one parameter."""

    consolidate = "weight"
    rate = 0.04

    @property
    def slow(self):
        return self._slow

    def start_consolidation(self):
        self._slow = getattr(self, self.consolidate).detach().clone()

    def consolidate_once(self):
        fast = getattr(self, self.consolidate)
        self._slow = torch.lerp(self._slow, fast, self.rate)  # <- culprit
        return self._slow


class PatternBank(Consolidating, nn.Module):
    consolidate = "patterns"

    def __init__(self, n_patterns, dim, beta):
        super().__init__()
        self.patterns = nn.Parameter(0.3 * torch.randn(n_patterns, dim))
        self.beta = beta
        self.start_consolidation()

    def energy(self, xi):
        lse = torch.logsumexp(self.beta * xi @ self.patterns.t(), dim=-1) / self.beta
        return 0.5 * xi.pow(2).sum(-1) - lse

    def forward(self, xi, sweeps=2):
        for _ in range(sweeps):
            attn = F.softmax(self.beta * xi @ self.patterns.t(), dim=-1)
            xi = attn @ self.patterns
        return xi

    def elastic(self):
        slow = self.consolidate_once() if self.training else self.slow
        return F.mse_loss(self.patterns, slow)


class Completer(nn.Module):
    def __init__(self, dim=24, hidden=32, n_patterns=20):
        super().__init__()
        self.query = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        self.bank = PatternBank(n_patterns, dim, beta=2.0)

    def forward(self, cue):
        return self.bank(cue + self.query(cue))


def corrupt(x, frac, gen):
    keep = (torch.rand(x.shape, generator=gen) > frac).float()
    return x * keep


def objective(net, clean, cue, lam=0.5, mu=1e-3):
    out = net(cue)
    fit = F.mse_loss(out, clean)
    return fit + lam * net.bank.elastic() + mu * net.bank.energy(cue).mean(), fit


def evaluate(net, protos, gen):
    net.eval()
    with torch.no_grad():
        idx = torch.randint(len(protos), (128,), generator=gen)
        clean = protos[idx]
        err = F.mse_loss(net(corrupt(clean, 0.4, gen)), clean).item()
    net.train()
    return err


def main(steps=150, batch=32):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    protos = torch.sign(torch.randn(12, 24, generator=gen))

    net = Completer()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    running = 0.0
    for t in range(steps):
        clean = protos[torch.randint(len(protos), (batch,), generator=gen)]
        loss, fit = objective(net, clean, corrupt(clean, 0.3, gen))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        running += (fit.item() - running) / min(t + 1, 20)
        if t % 50 == 49:
            print(f"{t + 1:4d}: train {running:.4f}  held-out {evaluate(net, protos, gen):.4f}")


if __name__ == "__main__":
    main()
