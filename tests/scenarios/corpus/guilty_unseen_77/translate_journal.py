# gradwatch-corpus: kind=graph-held
# holder: journal.pending | self.pending | journal
# first-bad: 1
# notice: 8
# toy character-level translation: reversed words with a shifted alphabet.
import random
from collections import Counter
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)

PAD, BOS = 0, 1
ALPHA = 14
VOCAB = ALPHA + 2
DIM = 32
STEPS = 130
BATCH = 24


class Journal:
    """Collects log entries cheaply while training; text is only produced by `render`."""

    def __init__(self):
        self.pending = []
        self.kinds = Counter()

    def note(self, kind, fmt, *values):
        self.kinds[kind] += 1
        self.pending.append(partial(fmt.format, *values))  # <- culprit

    def render(self, last=5):
        lines = [make() for make in self.pending]
        return lines[-last:]


class Encoder(nn.Module):
    def __init__(self, emb):
        super().__init__()
        self.emb = emb
        self.rnn = nn.GRU(DIM, DIM, batch_first=True)

    def forward(self, src):
        return self.rnn(self.emb(src))


class Decoder(nn.Module):
    def __init__(self, emb):
        super().__init__()
        self.emb = emb
        self.rnn = nn.GRU(DIM, DIM, batch_first=True)
        self.query = nn.Linear(DIM, DIM, bias=False)
        self.mix = nn.Linear(2 * DIM, DIM)

    def forward(self, tgt_in, memory, h, src_mask):
        out, _ = self.rnn(self.emb(tgt_in), h)
        score = self.query(out) @ memory.transpose(1, 2)
        score = score.masked_fill(~src_mask[:, None, :], -1e9)
        att = score.softmax(-1)
        ctx = att @ memory
        return torch.tanh(self.mix(torch.cat([out, ctx], -1))) @ self.emb.weight.t()


def translate(word):
    return [(c - 2 + 3) % ALPHA + 2 for c in reversed(word)]


def sample_batch(n):
    words = [[random.randrange(2, VOCAB) for _ in range(random.randint(3, 7))] for _ in range(n)]
    width = max(map(len, words))

    def pad(rows):
        return torch.tensor([r + [PAD] * (width - len(r)) for r in rows])

    src = pad(words)
    tgt = pad([translate(w) for w in words])
    tgt_in = torch.cat([torch.full((n, 1), BOS), tgt[:, :-1]], dim=1)
    return src, tgt_in, tgt


shared = nn.Embedding(VOCAB, DIM, padding_idx=PAD)
nn.init.normal_(shared.weight, std=DIM ** -0.5)
encoder = Encoder(shared)
decoder = Decoder(shared)
params = list({id(p): p for m in (encoder, decoder) for p in m.parameters()}.values())
opt = torch.optim.Adam(params, lr=4e-3)
journal = Journal()
best = float("inf")

for step in range(STEPS):
    src, tgt_in, tgt = sample_batch(BATCH)
    memory, h = encoder(src)
    logits = decoder(tgt_in, memory, h, src != PAD)
    nll = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=PAD, label_smoothing=0.05)

    opt.zero_grad()
    nll.backward()
    norm = nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()

    hits = ((logits.argmax(-1) == tgt) & (tgt != PAD)).sum().item() / (tgt != PAD).sum().item()
    journal.note("train", "step {:4d}  nll {:.4f}  acc {:.3f}", step, nll, hits)  # <- culprit
    if norm > 5.0:
        journal.note("grad", "step {:4d}  large gradient {:.2f}", step, norm.item())
    best = min(best, nll.item())

with torch.no_grad():
    src, tgt_in, tgt = sample_batch(4)
    memory, h = encoder(src)
    guess = decoder(tgt_in, memory, h, src != PAD).argmax(-1)
    print("sample:", guess[0].tolist(), "wanted:", tgt[0].tolist())

print("\n".join(journal.render()))
print(dict(journal.kinds), "best", round(best, 4))
