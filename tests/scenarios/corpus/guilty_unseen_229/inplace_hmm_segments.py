# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Fit a small copy-number HMM with neural emissions by maximum likelihood (scaled forward algorithm)."""
import torch
from torch import nn

STATES = 4
READS = 30


class Emission(nn.Module):
    def __init__(self, feats=3):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(feats, 16), nn.Tanh(), nn.Linear(16, STATES))

    def forward(self, x):
        return torch.softmax(self.net(x), dim=-1)


class CopyNumberHMM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emission = Emission()
        self.trans_logits = nn.Parameter(2.0 * torch.eye(STATES))
        self.start_logits = nn.Parameter(torch.zeros(STATES))

    def log_likelihood(self, x):
        batch, length, _ = x.shape
        emit = self.emission(x)
        trans = torch.softmax(self.trans_logits, dim=1)
        alpha = torch.zeros(batch, length, STATES)
        scale = []
        for t in range(length):
            if t == 0:
                row = torch.softmax(self.start_logits, dim=0) * emit[:, 0]
            else:
                row = (alpha[:, t - 1] @ trans) * emit[:, t]  # <- culprit
            norm = row.sum(dim=1, keepdim=True)
            alpha[:, t] = row / norm  # <- culprit
            scale.append(norm.squeeze(1).log())
        return torch.stack(scale, dim=1).sum(dim=1), alpha


def simulate_segments(batch, gen):
    cn = torch.zeros(batch, READS, dtype=torch.long)
    cn[:, 0] = torch.randint(0, STATES, (batch,), generator=gen)
    for t in range(1, READS):
        jump = torch.rand(batch, generator=gen) < 0.1
        fresh = torch.randint(0, STATES, (batch,), generator=gen)
        cn[:, t] = torch.where(jump, fresh, cn[:, t - 1])
    depth = cn.float() + 0.4 * torch.randn(batch, READS, generator=gen)
    baf = 0.5 / (1 + cn.float()) + 0.1 * torch.randn(batch, READS, generator=gen)
    gc = torch.rand(batch, READS, generator=gen)
    return torch.stack([depth, baf, gc], dim=2), cn


def fit(steps=80):
    torch.manual_seed(46)
    gen = torch.Generator().manual_seed(46)
    hmm = CopyNumberHMM()
    opt = torch.optim.Adam(hmm.parameters(), lr=1e-2)
    for step in range(steps):
        x, _ = simulate_segments(16, gen)
        ll, alpha = hmm.log_likelihood(x)
        loss = -ll.mean() / READS
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            sharp = alpha.detach().max(dim=2).values.mean().item()
            print(f"step {step} nll/read {loss.item():.4f} filter sharpness {sharp:.3f}")


if __name__ == "__main__":
    fit()
