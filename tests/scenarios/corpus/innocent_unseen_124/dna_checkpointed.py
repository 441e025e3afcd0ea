# gradwatch-corpus: kind=none
"""Masked nucleotide model whose blocks are recomputed in the backward pass."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(11)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.kqv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))

    def forward(self, x):
        k, q, v = self.kqv(self.ln1(x)).chunk(3, -1)
        x = x + self.o(F.scaled_dot_product_attention(q, k, v))
        return x + self.ff(self.ln2(x))


class DNAModel(nn.Module):
    def __init__(self, d=16, depth=2, n=24):
        super().__init__()
        self.tok, self.pos = nn.Embedding(5, d), nn.Parameter(0.02 * torch.randn(n, d))
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.out = nn.Linear(d, 4)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False)
        return self.out(x)


def reads(n=8, length=24):
    motif = torch.tensor([0, 1, 2, 3, 3, 1])
    start = torch.randint(0, 6, (n, 1))
    return motif[(torch.arange(length) + start) % 6]


net = DNAModel()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
for step in range(420):
    clean = reads()
    hide = torch.rand(clean.shape) < 0.2
    loss = F.cross_entropy(net(clean.masked_fill(hide, 4))[hide], clean[hide])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 90 == 0:
        print(step, f"{loss.item():.4f}")
