import torch
from torch import nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(rank, base.in_features) * 0.02)
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * F.linear(F.linear(x, self.A), self.B)


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.ln2(x))))


class MiniGPT(nn.Module):
    def __init__(self, vocab, dim, layers, heads, ctx):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(ctx, dim)
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(layers))
        self.lm_head = nn.Linear(dim, vocab)

    def forward(self, input_ids, labels):
        x = self.tok(input_ids) + self.pos(torch.arange(input_ids.size(1)))
        for b in self.blocks:
            x = b(x)
        return F.cross_entropy(self.lm_head(x).flatten(0, 1), labels.flatten(), ignore_index=-100)


def inject_lora(model, rank, alpha, targets=("qkv", "up", "down")):
    for p in model.parameters():
        p.requires_grad_(False)
    for blk in model.blocks:
        for t in targets:
            setattr(blk, t, LoRALinear(getattr(blk, t), rank, alpha))
    model.lm_head.requires_grad_(True)
    return model
