# gradwatch-corpus: kind=none
"""Attention with a monitor for each head; monitors feed a diversity penalty for the current batch."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(27)


class HeadMonitor:
    def __init__(self, layer, head, keep=12):
        self.key = f"{layer}.{head}"
        self.maps = []
        self.entropy = deque(maxlen=keep)
        self.typical = None

    def see(self, attn):
        self.maps.append(attn)
        with torch.no_grad():
            ent = -(attn * attn.clamp_min(1e-8).log()).sum(-1).mean()
            mean = attn.mean(0)
            self.typical = mean if self.typical is None else 0.95 * self.typical + 0.05 * mean
        self.entropy.append(ent)

    def clear(self):
        self.maps.clear()

    def summary(self):
        return round(torch.stack(tuple(self.entropy)).mean().item(), 3)


class Monitors:
    def __init__(self):
        self.by_key = {}

    def attach(self, name, module):
        for h in range(module.heads):
            self.by_key[f"{name}.{h}"] = HeadMonitor(name, h)

        def hook(mod, args, output):
            _, attn = output
            for h in range(mod.heads):
                self.by_key[f"{name}.{h}"].see(attn[:, h])

        module.register_forward_hook(hook)

    def diversity(self):
        penalty = 0.0
        maps = [m.maps[-1].flatten(1) for m in self.by_key.values()]
        for i in range(len(maps)):
            for j in range(i):
                penalty = penalty + F.cosine_similarity(maps[i], maps[j], dim=1).mean()
        novelty = sum((m.maps[-1].mean(0) - m.typical).abs().mean() for m in self.by_key.values())
        return 0.02 * penalty + 0.05 * novelty

    def clear(self):
        for m in self.by_key.values():
            m.clear()


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        attn = (q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5).softmax(-1)
        return self.out((attn @ v).transpose(1, 2).reshape(b, t, d)), attn


class Model(nn.Module):
    def __init__(self, dim=16, vocab=11):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.layers = nn.ModuleList([Attention(dim, 2), Attention(dim, 2)])
        self.head = nn.Linear(dim, vocab)

    def forward(self, tokens):
        x = self.emb(tokens)
        for layer in self.layers:
            x = x + layer(x)[0]
        return self.head(x)


model, monitors = Model(), Monitors()
for name, layer in model.layers.named_children():
    monitors.attach(name, layer)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
for step in range(100):
    tokens = torch.randint(0, 11, (8, 9))
    logits = model(tokens)
    loss = F.cross_entropy(logits.transpose(1, 2), tokens.flip(1)) + monitors.diversity()
    opt.zero_grad()
    loss.backward()
    opt.step()
    monitors.clear()
    if step % 25 == 24:
        print(step, round(loss.item(), 3), {k: m.summary() for k, m in monitors.by_key.items()})
