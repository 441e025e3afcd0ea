# gradwatch-corpus: kind=graph-held
# holder: model.deq.stats.rel_res | self.stats.rel_res | self.rel_res
# first-bad: 1
# notice: 8
"""Jacobian-free deep equilibrium classifier on synthetic glyphs."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from data import GlyphStream
from deq import EquilibriumLayer


class GlyphDEQ(nn.Module):
    def __init__(self, in_dim, hidden, n_cls):
        super().__init__()
        self.embed = nn.Linear(in_dim, hidden)
        self.deq = EquilibriumLayer(hidden, max_iter=12, tol=1e-3)
        self.head = nn.Linear(hidden, n_cls)

    def forward(self, x):
        return self.head(self.deq(self.embed(x)))


def train(n_iter=360, batch=16, lr=3e-3):
    stream = GlyphStream(n_cls=5, side=6)
    model = GlyphDEQ(stream.dim, 32, 5)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, n_iter)
    acc_hist = []
    for it in range(n_iter):
        model.train()
        x, y = stream.batch(batch)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        acc_hist.append((logits.argmax(1) == y).float().mean().item())

        if (it + 1) % 60 == 0:
            model.eval()
            with torch.no_grad():
                xv, yv = stream.batch(128)
                val = (model(xv).argmax(1) == yv).float().mean().item()
            nfe, rel = model.deq.stats.summary(60)
            print(f"it {it + 1:4d} loss {loss.item():.3f} train {sum(acc_hist[-60:]) / 60:.3f} "
                  f"val {val:.3f} nfe {nfe:.1f} rel {rel:.2e}")
    return model


if __name__ == "__main__":
    torch.manual_seed(21)
    torch.set_num_threads(1)
    train()
