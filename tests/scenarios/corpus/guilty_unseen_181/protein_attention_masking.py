# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

AA = "ACDEFGHIKLMNPQRSTVWY"
PAD = len(AA)


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        assert dim % heads == 0
        self.h, self.d = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, pad):
        B, T, C = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, self.d).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d)
        att = F.softmax(scores, dim=-1)
        att.masked_fill_(pad[:, None, None, :], 0.0)  # <- culprit
        out = (att @ v).transpose(1, 2).reshape(B, T, C)
        return self.proj(out)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = SelfAttention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, pad):
        x = x + self.attn(self.ln1(x), pad)
        return x + self.mlp(self.ln2(x))


class SolubilityModel(nn.Module):
    def __init__(self, dim=32, heads=4, depth=2, max_len=24):
        super().__init__()
        self.tok = nn.Embedding(len(AA) + 1, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.zeros(1, max_len, dim))
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.head = nn.Linear(dim, 1)

    def forward(self, seq):
        pad = seq.eq(PAD)
        x = self.tok(seq) + self.pos[:, : seq.size(1)]
        for blk in self.blocks:
            x = blk(x, pad)
        keep = (~pad).unsqueeze(-1).float()
        pooled = (x * keep).sum(1) / keep.sum(1)
        return self.head(pooled).squeeze(-1)


def peptides(n, max_len=24):
    seq = torch.randint(0, len(AA), (n, max_len))
    length = torch.randint(8, max_len + 1, (n,))
    seq[torch.arange(max_len)[None] >= length[:, None]] = PAD
    charged = torch.tensor([AA.index(c) for c in "DEKR"])
    frac = torch.isin(seq, charged).sum(1) / length
    return seq, (frac > 0.2).float()


def main():
    torch.manual_seed(4)
    model = SolubilityModel()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=500)
    for step in range(500):
        seq, soluble = peptides(24)
        loss = F.binary_cross_entropy_with_logits(model(seq), soluble)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 50 == 0:
            with torch.no_grad():
                seq, soluble = peptides(128)
                acc = ((model(seq) > 0) == soluble.bool()).float().mean()
            print(f"{step}: loss {loss.item():.3f} acc {acc.item():.3f}")


if __name__ == "__main__":
    main()
