# gradwatch-corpus: kind=none
"""Transformer-XL style LM; gradients run through WINDOW segments, then the memory is cut."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(41)
VOCAB, DIM, HEADS, DEPTH = 28, 32, 4, 2
SEG, WINDOW, N_WINDOWS, BATCH = 12, 3, 90, 8


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.q, self.kv, self.o = nn.Linear(DIM, DIM), nn.Linear(DIM, 2 * DIM), nn.Linear(DIM, DIM)
        self.ff = nn.Sequential(nn.Linear(DIM, 2 * DIM), nn.GELU(), nn.Linear(2 * DIM, DIM))

    def forward(self, h, mem):
        ctx = self.n1(h if mem is None else torch.cat([mem, h], 1))
        t, s = h.size(1), ctx.size(1)
        sh = lambda z: z.unflatten(-1, (HEADS, -1)).transpose(1, 2)
        k, v = self.kv(ctx).chunk(2, -1)
        mask = torch.ones(t, s, dtype=torch.bool).tril(s - t)
        a = F.scaled_dot_product_attention(sh(self.q(ctx[:, -t:])), sh(k), sh(v), attn_mask=mask)
        h = h + self.o(a.transpose(1, 2).flatten(2))
        return h + self.ff(self.n2(h))


class XL(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList(Layer() for _ in range(DEPTH))
        self.out = nn.Linear(DIM, VOCAB)
        self.mems = [None] * DEPTH

    def forward(self, ids):
        h = self.emb(ids)
        for i, layer in enumerate(self.layers):
            prev, self.mems[i] = self.mems[i], h
            h = layer(h, prev)
        return self.out(h)

    def cut(self):
        self.mems = [None if m is None else m.detach() for m in self.mems]


def corpus(length):
    motif = torch.randint(VOCAB, (BATCH, 17))
    ids = motif.repeat(1, length // 17 + 1)[:, :length]
    return torch.where(torch.rand(ids.shape) < 0.04, torch.randint(VOCAB, ids.shape), ids)


net = XL()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
text = corpus(SEG * WINDOW * N_WINDOWS + 1)
losses = []
pos = 0
for w in range(N_WINDOWS):
    window_loss = 0
    for _ in range(WINDOW):
        x, y = text[:, pos: pos + SEG], text[:, pos + 1: pos + SEG + 1]
        window_loss = window_loss + F.cross_entropy(net(x).flatten(0, 1), y.flatten())
        pos += SEG
    window_loss = window_loss / WINDOW
    opt.zero_grad()
    window_loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    net.cut()
    losses.append(window_loss.item())
    if (w + 1) % 15 == 0:
        print(f"window {w + 1:3d} nll {sum(losses[-15:]) / 15:.3f}")
