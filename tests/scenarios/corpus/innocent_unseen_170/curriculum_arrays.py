# gradwatch-corpus: kind=none
"""Sorting network on lists whose batch and length grow by a curriculum; the hardness store grows up to its cap."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class HardStore:
    """Keeps the hardest examples seen; its arrays double up to a cap, then the easiest rows are replaced."""

    def __init__(self, width, start=512, cap=16384):
        self.rows = np.zeros((start, width), dtype=np.float32)
        self.score = np.full(start, -1.0, dtype=np.float32)
        self.fill = 0
        self.cap = cap

    def _room(self, n):
        while self.fill + n > len(self.rows) and len(self.rows) < self.cap:
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
            self.score = np.concatenate([self.score, np.full_like(self.score, -1.0)])

    def add(self, rows, score):
        n = len(rows)
        self._room(n)
        if self.fill + n <= len(self.rows):
            at = np.arange(self.fill, self.fill + n)
            self.fill += n
        else:
            at = np.argpartition(self.score, n)[:n]
        self.rows[at] = rows
        self.score[at] = score

    def sample(self, rng, n):
        return self.rows[rng.integers(0, self.fill, n)]


class PointerSorter(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.lift = nn.Linear(1, dim)
        self.mix = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        h = torch.tanh(self.lift(x.unsqueeze(-1)))
        h = h + self.mix(h, h, h, need_weights=False)[0]
        return self.out(h).squeeze(-1)


class Curriculum:
    sizes = [16, 32, 64, 96, 128, 192, 256]

    def __init__(self, every=9):
        self.every = every

    def at(self, step):
        return self.sizes[min(step // self.every, len(self.sizes) - 1)]


def main():
    torch.manual_seed(8)
    torch.set_num_threads(1)
    rng = np.random.default_rng(8)
    width = 24
    net = PointerSorter()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    store = HardStore(width)
    plan = Curriculum()
    for step in range(160):
        n = plan.at(step)
        fresh = rng.standard_normal((n, width), dtype=np.float32)
        x = fresh
        if step > 10:
            x = np.concatenate([fresh, store.sample(rng, n // 4)])
        x = torch.from_numpy(x)
        rank = x.argsort(1).argsort(1).float() / (width - 1)
        err = F.mse_loss(net(x), rank, reduction="none").mean(1)
        loss = err.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.add(fresh, err.detach().numpy()[:n])
        if step % 30 == 0:
            print(f"{step:4d} batch {n:4d} loss {loss.item():.4f} store {store.fill}/{len(store.rows)}")


if __name__ == "__main__":
    main()
