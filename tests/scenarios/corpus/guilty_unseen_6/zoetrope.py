# gradwatch-corpus: kind=second-backward
# holder: self._kernels | clock._kernels | self._kernels[tick] | clock._kernels[tick]
# first-bad: 22
# also: graph-held
"""Substitution rates of a four-letter alphabet from pairs of aligned sequences with known divergence times."""
import torch
from torch import nn
import torch.nn.functional as F

LETTERS = "ACGT"


def rate_matrix(raw, freq):
    q = F.softplus(raw + raw.t()) * freq[None, :]
    q = q - torch.diag(torch.diagonal(q))
    q = q - torch.diag(q.sum(1))
    speed = -(torch.diagonal(q) * freq).sum()
    return q / speed


class MolecularClock(nn.Module):
    resolution = 2000

    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(0.1 * torch.randn(4, 4))
        self.freq_logit = nn.Parameter(torch.zeros(4))
        self._kernels = {}

    @property
    def freq(self):
        return self.freq_logit.softmax(0)

    def kernel(self, t):
        tick = round(t * self.resolution)
        if tick not in self._kernels:
            q = rate_matrix(self.raw, self.freq)
            self._kernels[tick] = torch.matrix_exp(q * (tick / self.resolution)).clamp_min(1e-8)  # <- culprit
        return self._kernels[tick]  # <- culprit

    def forward(self, pairs):
        logp = 0.0
        for t, counts in pairs:
            joint = self.freq[:, None] * self.kernel(t)
            logp = logp + (counts * joint.log()).sum() / counts.sum()
        return -logp / len(pairs)


def alignments(rng, per_batch, length=300):
    truth = torch.tensor([[0.0, 1.0, 3.0, 0.7], [1.0, 0.0, 0.8, 3.5], [3.0, 0.8, 0.0, 1.1], [0.7, 3.5, 1.1, 0.0]])
    pi = torch.tensor([0.3, 0.2, 0.2, 0.3])
    q = truth * pi
    q = q - torch.diag(q.sum(1))
    q = q / -(torch.diagonal(q) * pi).sum()
    while True:
        batch = []
        for _ in range(per_batch):
            t = 0.05 + 0.95 * torch.rand((), generator=rng).item()
            joint = (pi[:, None] * torch.matrix_exp(q * t)).flatten().clamp_min(0)
            hits = torch.multinomial(joint, length, replacement=True, generator=rng)
            batch.append((t, torch.bincount(hits, minlength=16).view(4, 4).float()))
        yield batch


def main(steps=500):
    torch.manual_seed(23)
    clock = MolecularClock()
    opt = torch.optim.Adam(clock.parameters(), lr=2e-2)
    source = alignments(torch.Generator().manual_seed(19), per_batch=3)
    for n in range(steps):
        nll = clock(next(source))
        opt.zero_grad()
        nll.backward()
        opt.step()
        if n % 5 == 0:
            shown = " ".join(f"{c}={f:.2f}" for c, f in zip(LETTERS, clock.freq.tolist()))
            print(f"{n:4d} nll {nll.item():.4f} {shown}", flush=True)


if __name__ == "__main__":
    main()
