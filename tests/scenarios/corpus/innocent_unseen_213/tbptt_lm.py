# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class SegmentXL(nn.Module):
    """Single-layer segment-recurrent attention, keys of the last segments are re-used."""

    def __init__(self, vocab=20, d=32, mem_len=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.q, self.kv, self.o = nn.Linear(d, d), nn.Linear(d, 2 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.mem_len = mem_len

    def attend(self, h, ctx):
        k, v = self.kv(ctx).chunk(2, -1)
        t, s = h.size(1), ctx.size(1)
        mask = torch.ones(t, s, dtype=torch.bool).tril(s - t)
        return h + self.o(F.scaled_dot_product_attention(self.q(h), k, v, attn_mask=mask))

    def forward(self, tok, mems):
        state, mem = mems
        h, state = self.rnn(self.emb(tok), state)
        ctx = h if mem is None else torch.cat([mem, h], 1)
        out = checkpoint(self.attend, h, ctx, use_reentrant=False)
        out = out + checkpoint(self.ff, out, use_reentrant=False)
        return out @ self.emb.weight.t(), (state, ctx[:, -self.mem_len:])


def repackage(h):
    if h is None or isinstance(h, torch.Tensor):
        return h if h is None else h.detach()
    return tuple(repackage(v) for v in h)


class Stream:
    def __init__(self, bs, seg, vocab):
        base = torch.randint(0, vocab, (bs, 23))
        self.data = base.repeat(1, 60)
        self.seg, self.pos = seg, 0

    def __iter__(self):
        for i in range(0, self.data.size(1) - self.seg - 1, self.seg):
            yield self.data[:, i:i + self.seg], self.data[:, i + 1:i + self.seg + 1]


def train(epochs=2, seg=12, k2=2):
    torch.manual_seed(31)
    model = SegmentXL()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    stream = Stream(8, seg, 20)
    for ep in range(epochs):
        mems, pending, seen = (None, None), [], []
        for i, (x, y) in enumerate(stream):
            logits, mems = model(x, mems)
            pending.append(F.cross_entropy(logits.flatten(0, 1), y.flatten()))
            if len(pending) == k2:
                loss = torch.stack(pending).mean()
                opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 0.5)
                opt.step()
                seen.append(loss.detach())
                pending.clear()
                mems = repackage(mems)
        print(f"epoch {ep} nll {torch.stack(seen).mean():.3f} last {seen[-1].item():.3f}")


if __name__ == "__main__":
    train()
