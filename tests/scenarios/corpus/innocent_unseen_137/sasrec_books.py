# gradwatch-corpus: kind=none
# %% next-book recommender, micro-batches summed to one effective batch
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(60)
rng = np.random.default_rng(60)

BOOKS, LEN, MICRO = 40, 7, 4


def reading_trails(n):
    start = rng.integers(0, BOOKS, n)
    jump = rng.choice([1, 2, 5], size=(n, LEN), p=[0.6, 0.3, 0.1])
    return torch.as_tensor((start[:, None] + jump.cumsum(1)) % BOOKS)


class SeqRec(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.book = nn.Embedding(BOOKS, d)
        self.place = nn.Parameter(torch.zeros(LEN - 1, d))
        self.enc = nn.TransformerEncoderLayer(d, 2, 24, dropout=0.1, batch_first=True)
        self.register_buffer("mask", nn.Transformer.generate_square_subsequent_mask(LEN - 1))
        self._table = None

    def table(self):
        """Normalised item matrix, shared by all micro-batches of a step."""
        if self._table is None:
            self._table = F.normalize(self.book.weight, dim=1)
        return self._table

    def invalidate(self):
        self._table = None

    def forward(self, seq):
        h = self.enc(self.book(seq) + self.place, src_mask=self.mask)
        return 8 * h @ self.table().T


rec = SeqRec()
opt = torch.optim.Adam(rec.parameters(), 3e-3)
hits = []
for it in range(450):
    pending = []
    for _ in range(MICRO):
        trail = reading_trails(8)
        logits = rec(trail[:, :-1])
        pending.append(F.cross_entropy(logits.flatten(0, 1), trail[:, 1:].flatten()))
        hits.append((logits[:, -1].argmax(1) == trail[:, -1]).float().mean().item())
    loss = sum(pending) / MICRO
    opt.zero_grad()
    loss.backward()
    opt.step()
    rec.invalidate()
    if it % 90 == 89:
        print(it + 1, f"loss {loss.item():.3f} hit@1 {np.mean(hits[-200:]):.3f}")
