import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base
        self.down = nn.Parameter(torch.randn(rank, base.in_features) * 0.05)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.gain = alpha / rank

    def forward(self, x):
        return self.base(x) + (x @ self.down.t() @ self.up.t()) * self.gain


class Mixer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        return x + self.out(nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True))


class CharLM(nn.Module):
    def __init__(self, vocab, width, depth):
        super().__init__()
        self.tok = nn.Embedding(vocab, width)
        self.pos = nn.Embedding(32, width)
        self.blocks = nn.ModuleList(Mixer(width) for _ in range(depth))
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        x = self.tok(ids) + self.pos.weight[: ids.size(1)]
        for b in self.blocks:
            x = b(x)
        return self.head(x)


def inject_lora(model, rank, alpha):
    model.requires_grad_(False)
    for b in model.blocks:
        b.qkv = LoRALinear(b.qkv, rank, alpha)
        b.out = LoRALinear(b.out, rank, alpha)
    model.head = LoRALinear(model.head, rank, alpha)
    return [p for p in model.parameters() if p.requires_grad]
