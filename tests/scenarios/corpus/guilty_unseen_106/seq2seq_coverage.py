# gradwatch-corpus: kind=inplace-modified
# holder: coverage
# first-bad: 80
# notice: 0
"""
Seq2seq + attention on a toy "reverse and drop duplicates" task.
Coverage (See et al. 2017) is switched on late, as in the paper.
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)
random.seed(17)

PAD, SOS, EOS = 0, 1, 2
VOCAB = 14
MAX_LEN = 7


def make_pair():
    src = [random.randint(3, VOCAB - 1) for _ in range(random.randint(3, MAX_LEN))]
    tgt = []
    for w in reversed(src):
        if w not in tgt:
            tgt.append(w)
    return src, tgt + [EOS]


def make_batch(n):
    pairs = [make_pair() for _ in range(n)]
    src = torch.zeros(n, MAX_LEN, dtype=torch.long)
    tgt = torch.zeros(n, MAX_LEN + 1, dtype=torch.long)
    for i, (s, t) in enumerate(pairs):
        src[i, : len(s)] = torch.tensor(s)
        tgt[i, : len(t)] = torch.tensor(t)
    return src, tgt


class Encoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, hidden, padding_idx=PAD)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, src):
        return self.gru(self.emb(src))


class BahdanauAttention(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.Wa = nn.Linear(hidden, hidden)
        self.Ua = nn.Linear(hidden, hidden)
        self.Wc = nn.Linear(1, hidden, bias=False)
        self.Va = nn.Linear(hidden, 1)

    def forward(self, query, keys, mask, coverage=None):
        e = self.Wa(query).unsqueeze(1) + self.Ua(keys)
        if coverage is not None:
            e = e + self.Wc(coverage.unsqueeze(2))
        scores = self.Va(torch.tanh(e)).squeeze(2).masked_fill(mask, -1e9)
        w = F.softmax(scores, dim=1)
        return (w.unsqueeze(1) @ keys).squeeze(1), w


class Decoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, hidden)
        self.attention = BahdanauAttention(hidden)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.out = nn.Linear(hidden, VOCAB)

    def forward(self, keys, h, mask, tgt, use_coverage=False, tf_ratio=0.7):
        inp = torch.full((keys.size(0),), SOS, dtype=torch.long)
        coverage = torch.zeros(keys.shape[:2])
        outputs, cov_loss = [], 0.0
        for t in range(tgt.size(1)):
            ctx, attn = self.attention(h, keys, mask, coverage if use_coverage else None)
            if use_coverage:
                cov_loss = cov_loss + torch.min(attn, coverage).sum(1).mean()
                coverage += attn  # <- culprit
            h = self.cell(torch.cat([self.emb(inp), ctx], 1), h)
            logits = self.out(h)
            outputs.append(logits)
            inp = tgt[:, t] if random.random() < tf_ratio else logits.argmax(1)
        return torch.stack(outputs, 1), cov_loss / tgt.size(1)


def train(n_iters=240, coverage_from=80, print_every=40):
    enc, dec = Encoder(32), Decoder(32)
    params = list(enc.parameters()) + list(dec.parameters())
    opt = torch.optim.Adam(params, lr=4e-3)
    total, right, count = 0.0, 0, 0
    for it in range(n_iters):
        src, tgt = make_batch(16)
        keys, h = enc(src)
        logits, cov = dec(keys, h[0], src.eq(PAD), tgt, use_coverage=it >= coverage_from)
        nll = F.cross_entropy(logits.flatten(0, 1), tgt.flatten(), ignore_index=PAD)
        loss = nll + 0.5 * cov
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()

        total += nll.item()
        m = tgt.ne(PAD)
        right += (logits.argmax(2)[m] == tgt[m]).sum().item()
        count += m.sum().item()
        if (it + 1) % print_every == 0:
            print(f"{it + 1:4d}/{n_iters} nll {total / print_every:.3f} token acc {right / count:.2f}")
            total, right, count = 0.0, 0, 0


if __name__ == "__main__":
    train()
