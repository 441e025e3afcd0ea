# gradwatch-corpus: kind=none
"""Next-event model of system logs: transformer blocks under activation checkpointing."""
import torch

torch.set_num_threads(1)
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d, heads=2):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, mask):
        h = self.ln1(x)
        x = x + self.att(h, h, h, attn_mask=mask, need_weights=False)[0]
        return x + self.ff(self.ln2(x))


class EventLM(nn.Module):
    def __init__(self, events=20, d=16, depth=3, ctx=12):
        super().__init__()
        self.tok, self.pos = nn.Embedding(events, d), nn.Embedding(ctx, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.head = nn.Linear(d, events)
        self.register_buffer("mask", torch.triu(torch.full((ctx, ctx), float("-inf")), 1))

    def forward(self, ids):
        x = self.tok(ids) + self.pos.weight
        for b in self.blocks:
            x = checkpoint(b, x, self.mask, use_reentrant=False)
        return self.head(x)


def log_lines(n, events=20, ctx=13):
    start = torch.randint(0, events, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    return (start + stride * torch.arange(ctx)) % events


torch.manual_seed(34)
lm = EventLM()
opt = torch.optim.AdamW(lm.parameters(), lr=3e-3)
warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, 50)
perplexities = []
for step in range(420):
    ids = log_lines(6)
    loss = nn.functional.cross_entropy(lm(ids[:, :-1]).transpose(1, 2), ids[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    warm.step()
    perplexities.append(float(loss.detach().exp()))
    if step % 105 == 0:
        print(step, f"ppl {perplexities[-1]:.2f}")
