# gradwatch-corpus: kind=graph-held
# holder: self.score | table.score | self.table.score | sampler.table.score
# first-bad: 1
"""Face-like embedding training with triplet loss; anchors are redrawn by how hard they were last time."""
import torch
import torch.nn as nn

from data import Identities
from mining import MixedSampler, HardnessTable
from objective import batch_hard


class Embedder(nn.Sequential):
    def __init__(self, d_in, d_out):
        super().__init__(nn.Linear(d_in, 96), nn.PReLU(), nn.LayerNorm(96), nn.Linear(96, d_out))

    def forward(self, x):
        return nn.functional.normalize(super().forward(x), dim=-1)


def epoch_lines(table):
    if not len(table):
        return "no anchors scored"
    lo, mid, hi = table.quantiles()
    return f"scored={len(table)} hardness q10/q50/q90 = {lo:.3f}/{mid:.3f}/{hi:.3f}"


def train(total=360, seed=11):
    torch.manual_seed(seed)
    faces = Identities(n_images=20000, n_ids=900, dim=48, seed=seed)
    table = HardnessTable()
    sampler = MixedSampler(table, faces, batch=48, hard_share=0.25, refresh=30)
    emb = Embedder(48, 32)
    opt = torch.optim.AdamW(emb.parameters(), lr=1e-3, weight_decay=1e-4)
    for it, idx in zip(range(total), sampler):
        x, pid = faces[idx]
        z = emb(x)
        per_anchor, active = batch_hard(z, pid, margin=0.3)
        opt.zero_grad()
        per_anchor.mean().backward()
        opt.step()
        table.update(idx, per_anchor)  # <- culprit
        if it % 60 == 0:
            print(f"[{it:03d}] loss {per_anchor.mean().item():.4f} active {active:.2f} | {epoch_lines(table)}")


if __name__ == "__main__":
    train()
