# gradwatch-corpus: kind=graph-held
# holder: self.window | monitor.window
# first-bad: 1
# notice: 8
"""Residue-residue contact prediction on toy chains, with a loss trend monitor."""
import collections
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CONFIG = {
    "n_res": 20,
    "embed": 16,
    "batch": 6,
    "steps": 360,
    "lr": 2e-3,
    "monitor": {"window_size": 40, "print_every": 60},
}
N_AA = 20


class PairFormer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.aa = nn.Embedding(N_AA, d)
        self.ctx = nn.Conv1d(d, d, 5, padding=2)
        self.left = nn.Linear(d, d, bias=False)
        self.right = nn.Linear(d, d, bias=False)
        self.dist = nn.Embedding(32, 1)

    def forward(self, seq):
        h = self.aa(seq)
        h = h + F.gelu(self.ctx(h.transpose(1, 2))).transpose(1, 2)
        scores = self.left(h) @ self.right(h).transpose(1, 2) / math.sqrt(h.size(-1))
        i = torch.arange(seq.size(1))
        sep = (i[:, None] - i[None, :]).abs().clamp(max=31)
        scores = scores + self.dist(sep).squeeze(-1)
        return 0.5 * (scores + scores.transpose(1, 2))


class TrendMonitor:
    """Windowed mean and slope of any scalar we hand it."""

    def __init__(self, options):
        self.print_every = options.get("print_every", 50)
        self.window = collections.deque(maxlen=options.get("window"))  # <- culprit
        self.seen = 0

    def update(self, value):
        self.window.append(value)  # <- culprit
        self.seen += 1
        if self.seen % self.print_every == 0:
            print(f"[{self.seen:4d}] mean {self.mean():.4f}  slope {self.slope():+.5f}")

    def mean(self):
        return torch.stack([v.detach() for v in self.window]).mean().item()

    def slope(self):
        ys = torch.stack([v.detach() for v in self.window])
        xs = torch.arange(len(ys), dtype=ys.dtype)
        xs = xs - xs.mean()
        return ((xs * ys).sum() / (xs * xs).sum()).item()


def sample_chains(batch, n_res, affinity):
    seq = torch.randint(0, N_AA, (batch, n_res))
    energy = affinity[seq[:, :, None], seq[:, None, :]]
    contact = (energy + 0.3 * torch.randn_like(energy) > 0.8).float()
    contact = torch.maximum(contact, contact.transpose(1, 2))
    return seq, contact


def main(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(77)
    affinity = torch.randn(N_AA, N_AA)
    affinity = 0.5 * (affinity + affinity.T)
    model = PairFormer(cfg["embed"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["lr"])
    monitor = TrendMonitor(cfg["monitor"])
    mask = torch.ones(cfg["n_res"], cfg["n_res"]).triu(3).bool()
    for _ in range(cfg["steps"]):
        seq, contact = sample_chains(cfg["batch"], cfg["n_res"], affinity)
        logits = model(seq)
        loss = F.binary_cross_entropy_with_logits(
            logits[:, mask], contact[:, mask], pos_weight=torch.tensor(2.0)
        )
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        monitor.update(loss)  # <- culprit
    print("done, last window mean", round(monitor.mean(), 4))


if __name__ == "__main__":
    main(CONFIG)
