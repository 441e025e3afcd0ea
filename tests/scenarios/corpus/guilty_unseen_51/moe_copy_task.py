# gradwatch-corpus: kind=graph-held
# holder: self.balance_losses | moe.balance_losses | blk.moe.balance_losses | model.blocks[0].moe.balance_losses | model.blocks[1].moe.balance_losses
# first-bad: 1
"""Switch-style MoE transformer on a delayed copy task."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(7)

VOCAB, SEQ, DIM, EXPERTS, HEADS = 24, 20, 32, 4, 4
STEPS, BATCH, AUX_COEF = 120, 16, 0.02


class Expert(nn.Module):
    def __init__(self, dim, mult=2):
        super().__init__()
        self.up = nn.Linear(dim, mult * dim)
        self.down = nn.Linear(mult * dim, dim)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))


class SwitchMoE(nn.Module):
    def __init__(self, dim, n_experts):
        super().__init__()
        self.router = nn.Linear(dim, n_experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(n_experts))
        self.balance_losses = []

    def forward(self, x):
        flat = x.reshape(-1, x.size(-1))
        probs = self.router(flat).softmax(-1)
        gate, choice = probs.max(-1)
        out = torch.zeros_like(flat)
        for e, expert in enumerate(self.experts):
            rows = (choice == e).nonzero(as_tuple=True)[0]
            if rows.numel():
                out = out.index_add(0, rows, gate[rows, None] * expert(flat[rows]))
        frac = F.one_hot(choice, len(self.experts)).float().mean(0)
        balance = len(self.experts) * (frac * probs.mean(0)).sum()
        self.balance_losses.append(balance)  # <- culprit
        return out.view_as(x)


class Block(nn.Module):
    def __init__(self, dim, heads, n_experts):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.moe = SwitchMoE(dim, n_experts)
        self.heads = heads

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (
            m.view(b, t, self.heads, d // self.heads).transpose(1, 2)
            for m in self.qkv(self.ln1(x)).chunk(3, -1)
        )
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, d))
        return x + self.moe(self.ln2(x))


class MoELM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.pos = nn.Parameter(torch.randn(SEQ, DIM) / math.sqrt(DIM))
        self.blocks = nn.ModuleList(Block(DIM, HEADS, EXPERTS) for _ in range(2))
        self.head = nn.Linear(DIM, VOCAB)

    def forward(self, ids):
        h = self.tok(ids) + self.pos[: ids.size(1)]
        for blk in self.blocks:
            h = blk(h)
        return self.head(h)

    def balance(self):
        return sum(blk.moe.balance_losses[-1] for blk in self.blocks)


def make_batch(delay=3):
    src = torch.randint(1, VOCAB, (BATCH, SEQ))
    tgt = torch.zeros_like(src)
    tgt[:, delay:] = src[:, :-delay]
    return src, tgt


model = MoELM()
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)

for step in range(STEPS):
    src, tgt = make_batch()
    ce = F.cross_entropy(model(src).flatten(0, 1), tgt.flatten())
    loss = ce + AUX_COEF * model.balance()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if (step + 1) % 30 == 0:
        recent = [sum(b.moe.balance_losses[-30:]).item() / 30 for b in model.blocks]
        print(f"step {step + 1:4d}  ce {ce.item():.3f}  balance {recent[0]:.3f}/{recent[1]:.3f}")
