# gradwatch-corpus: kind=none
"""Transformer-XL style memories over a synthetic token stream."""
import torch
import torch.nn.functional as F
from torch import nn


class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.kv = nn.Linear(d, d), nn.Linear(d, 2 * d)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, mem):
        ctx = x if mem is None else torch.cat([mem, x], 1)
        k, v = self.kv(ctx).chunk(2, -1)
        t, s = x.shape[1], ctx.shape[1]
        mask = torch.ones(t, s, dtype=torch.bool).tril(s - t)
        x = x + F.scaled_dot_product_attention(self.q(x), k, v, attn_mask=mask)
        return x + self.ff(x)


class Memory:
    def __init__(self, layers, length):
        self.items, self.length = [None] * layers, length

    def __getitem__(self, i):
        return self.items[i]

    def extend(self, i, hidden):
        old = self.items[i]
        joined = hidden if old is None else torch.cat([old, hidden], 1)
        self.items[i] = joined[:, -self.length:].detach()


class XL(nn.Module):
    def __init__(self, vocab=20, d=24, layers=2, mem_len=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(Layer(d) for _ in range(layers))
        self.head = nn.Linear(d, vocab)
        self.memory = Memory(layers, mem_len)

    def forward(self, tokens):
        x = self.emb(tokens)
        for i, layer in enumerate(self.layers):
            y = layer(x, self.memory[i])
            self.memory.extend(i, x)
            x = y
        return self.head(x)


def stream(batch=6, length=9, vocab=20, seed=1):
    g = torch.Generator().manual_seed(seed)
    offset = torch.randint(0, vocab, (batch, 1), generator=g)
    while True:
        pos = torch.arange(length)
        seq = (offset + pos * pos // 3) % vocab
        yield seq[:, :-1], seq[:, 1:]
        offset = (offset + length - 1) % vocab


class RunningLoss:
    def __init__(self):
        self.total, self.n = torch.zeros(()), 0

    def add(self, loss):
        self.total += loss.detach()
        self.n += 1

    def pop(self):
        out = (self.total / self.n).exp().item()
        self.total, self.n = torch.zeros(()), 0
        return out


def main(steps=450):
    torch.manual_seed(0)
    model, meter, curve = XL(), RunningLoss(), []
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step, (x, y) in zip(range(1, steps + 1), stream()):
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.add(loss)
        if step % 50 == 0:
            curve.append(meter.pop())
            print(step, f"ppl {curve[-1]:.2f}", flush=True)


if __name__ == "__main__":
    main()
