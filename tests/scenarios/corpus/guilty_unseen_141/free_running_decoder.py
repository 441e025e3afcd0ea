# gradwatch-corpus: kind=inplace-modified
# holder: self.k | self.v | cache.k | cache.v
# first-bad: 60
# notice: 0
# Melody continuation: parallel teacher forcing first, then training on the model's own continuations.
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(6)

PITCHES, BARS, D = 18, 10, 16


class KVCache:
    def __init__(self, batch, length, d):
        self.k = torch.zeros(batch, length, d)
        self.v = torch.zeros(batch, length, d)
        self.n = 0

    def extend(self, k, v):
        self.k[:, self.n] = k  # <- culprit
        self.v[:, self.n] = v  # <- culprit
        self.n += 1
        return self.k[:, :self.n], self.v[:, :self.n]


class Melody(nn.Module):
    def __init__(self):
        super().__init__()
        self.note = nn.Embedding(PITCHES, D)
        self.beat = nn.Parameter(torch.randn(BARS, D) * 0.1)
        self.qkv = nn.Linear(D, 3 * D)
        self.ff = nn.Sequential(nn.Linear(D, 32), nn.GELU(), nn.Linear(32, PITCHES))

    def parallel(self, notes):
        x = self.note(notes) + self.beat[: notes.size(1)]
        q, k, v = self.qkv(x).chunk(3, -1)
        return self.ff(x + F.scaled_dot_product_attention(q, k, v, is_causal=True))

    def one(self, note, t, cache):
        x = self.note(note) + self.beat[t]
        q, k, v = self.qkv(x).chunk(3, -1)
        keys, values = cache.extend(k, v)
        w = (keys @ q.unsqueeze(-1)).squeeze(-1).div(D ** 0.5).softmax(-1)
        return self.ff(x + (w.unsqueeze(1) @ values).squeeze(1))

    def continued(self, notes, primer):
        cache = KVCache(len(notes), BARS, D)
        cur, out = notes[:, 0], []
        for t in range(notes.size(1) - 1):
            logits = self.one(cur, t, cache)
            out.append(logits)
            cur = notes[:, t + 1] if t < primer else logits.argmax(-1)
        return torch.stack(out, 1)


def tunes(n=8):
    root = torch.randint(0, PITCHES, (n, 1))
    return (root + torch.tensor([0, 2, 4, 5, 7, 5, 4, 2, 0, 7])) % PITCHES


model = Melody()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for step in range(400):
    notes = tunes()
    logits = model.parallel(notes[:, :-1]) if step < 60 else model.continued(notes, primer=4)
    loss = F.cross_entropy(logits.transpose(1, 2), notes[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(step, loss.item(), flush=True)
