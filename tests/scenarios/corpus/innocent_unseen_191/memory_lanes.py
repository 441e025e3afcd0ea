# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class LanePool:
    """Preallocated segment memories, borrowed and returned in rotation."""

    def __init__(self, lanes, batch, length, dim):
        self.free = [torch.zeros(batch, length, dim) for _ in range(lanes)]
        self.busy = []

    def store(self, segment):
        if not self.free:
            self.free.append(self.busy.pop(0))
        lane = self.free.pop()
        with torch.no_grad():
            lane.copy_(segment)
        self.busy.append(lane)

    def context(self):
        return torch.cat(self.busy, 1) if self.busy else None


class SegmentBlock(nn.Module):
    def __init__(self, vocab=16, dim=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.q, self.kv = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim)
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 48), nn.GELU(), nn.Linear(48, dim))
        self.out = nn.Linear(dim, vocab)

    def forward(self, tokens, past):
        x = self.emb(tokens)
        n = x.shape[1]
        full = x if past is None else torch.cat([past, x], 1)
        k, v = self.kv(full).chunk(2, -1)
        m = full.shape[1]
        mask = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        att = F.scaled_dot_product_attention(self.q(x), k, v, attn_mask=mask)
        h = x + att
        h = h + self.ff(h)
        return self.out(h), h


def motif_segments(batch, length, gen):
    motif = torch.randint(16, (batch, 10), generator=gen)
    pos = 0
    while True:
        idx = torch.arange(pos, pos + length + 1) % 10
        yield motif[:, idx]
        pos += length


def main(steps=420):
    torch.manual_seed(180)
    model = SegmentBlock()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    pool = LanePool(lanes=3, batch=8, length=8, dim=24)
    segments = motif_segments(8, 8, torch.Generator().manual_seed(181))
    for step in range(steps):
        seq = next(segments)
        logits, hidden = model(seq[:, :-1], pool.context())
        loss = F.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        pool.store(hidden)
        if step % 70 == 0:
            print(step, f"{loss.item():.4f}", len(pool.busy), "lanes in use")


if __name__ == "__main__":
    main()
