# gradwatch-corpus: kind=none
"""Character-level Transformer-XL with segment recurrence on a synthetic grammar."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(19)
VOCAB, D, HEADS, LAYERS, SEG, MEM, BSZ = 12, 32, 4, 2, 12, 24, 6


class RelAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(D, D, bias=False)
        self.kv = nn.Linear(D, 2 * D, bias=False)
        self.o = nn.Linear(D, D, bias=False)
        self.rel_bias = nn.Embedding(SEG + MEM, HEADS)

    def forward(self, x, mem):
        b, t, _ = x.shape
        cat = torch.cat([mem, x], dim=1)
        s = cat.size(1)
        q = self.q(x).view(b, t, HEADS, -1).transpose(1, 2)
        k, v = self.kv(cat).chunk(2, -1)
        k = k.view(b, s, HEADS, -1).transpose(1, 2)
        v = v.view(b, s, HEADS, -1).transpose(1, 2)
        dist = (torch.arange(t)[:, None] + s - t) - torch.arange(s)[None]
        bias = self.rel_bias(dist.clamp(min=0)).permute(2, 0, 1)
        att = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1)) + bias
        att = att.masked_fill(dist < 0, float("-inf")).softmax(-1)
        return self.o((att @ v).transpose(1, 2).reshape(b, t, D))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.att = RelAttention()
        self.n1 = nn.LayerNorm(D)
        self.n2 = nn.LayerNorm(D)
        self.ff = nn.Sequential(nn.Linear(D, 64), nn.ReLU(), nn.Linear(64, D))

    def forward(self, x, mem):
        x = self.n1(x + self.att(x, mem))
        return self.n2(x + self.ff(x))


class MemTransformerLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, D)
        self.blocks = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.out_bias = nn.Parameter(torch.zeros(VOCAB))

    def init_mems(self):
        return [torch.zeros(BSZ, 0, D) for _ in range(LAYERS)]

    def _update_mems(self, hids, mems):
        with torch.no_grad():
            new_mems = []
            for h, m in zip(hids, mems):
                cat = torch.cat([m, h], dim=1)
                new_mems.append(cat[:, -MEM:].detach())
        return new_mems

    def forward(self, data, target, *mems):
        mems = list(mems) or self.init_mems()
        h = self.emb(data)
        hids = []
        for block, mem in zip(self.blocks, mems):
            hids.append(h)
            h = block(h, mem)
        logits = h @ self.emb.weight.t() + self.out_bias
        loss = F.cross_entropy(logits.flatten(0, 1), target.flatten(), reduction="none")
        return [loss.view_as(target)] + self._update_mems(hids, mems)


def stream(n_tokens):
    x = torch.zeros(BSZ, n_tokens, dtype=torch.long)
    for i in range(2, n_tokens):
        nxt = (x[:, i - 1] + x[:, i - 2] + 1) % VOCAB
        flip = torch.rand(BSZ) < 0.1
        x[:, i] = torch.where(flip, torch.randint(0, VOCAB, (BSZ,)), nxt)
    return x


tokens = stream(SEG * 100 + 1)
model = MemTransformerLM()
optimizer = torch.optim.Adam(model.parameters(), lr=2.5e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 100)
mems = tuple()
train_loss = 0
for i in range(0, tokens.size(1) - 1, SEG):
    data = tokens[:, i:i + SEG]
    target = tokens[:, i + 1:i + 1 + SEG]
    ret = model(data, target, *mems)
    loss, mems = ret[0], ret[1:]
    loss = loss.float().mean()
    model.zero_grad()
    loss.backward()
    train_loss += loss.float().item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    optimizer.step()
    scheduler.step()
print("mean loss", train_loss / 100)
