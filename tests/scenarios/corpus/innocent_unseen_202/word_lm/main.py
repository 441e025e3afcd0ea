# gradwatch-corpus: kind=none
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

from state import repackage


class AWDLike(nn.Module):
    def __init__(self, vocab, dim=32, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.rnns = nn.ModuleList([nn.LSTM(dim, dim) for _ in range(layers)])
        self.state = [None] * layers

    def forward(self, tokens):
        self.state = repackage(self.state)
        x = F.dropout(self.emb(tokens), 0.1, self.training)
        raw = []
        for i, rnn in enumerate(self.rnns):
            x, self.state[i] = rnn(x, self.state[i])
            raw.append(x)
        return F.linear(x, self.emb.weight), raw

    def reset(self):
        self.state = [None] * len(self.rnns)


def markov_corpus(vocab, n, seed):
    rng = random.Random(seed)
    table = [[rng.randrange(vocab) for _ in range(4)] for _ in range(vocab)]
    ids = [0]
    for _ in range(n - 1):
        ids.append(rng.choice(table[ids[-1]]))
    return torch.tensor(ids)


def batchify(ids, bsz):
    n = len(ids) // bsz
    return ids[:n * bsz].view(bsz, n).t().contiguous()


def regularise(raw, alpha=1.0, beta=0.5):
    last = raw[-1]
    return alpha * last.pow(2).mean() + beta * (last[1:] - last[:-1]).pow(2).mean()


def main():
    torch.manual_seed(40)
    data = batchify(markov_corpus(60, 20000, 40), 8)
    model = AWDLike(60)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    averaged = None
    history = []
    for epoch in range(3):
        model.reset()
        pos, total, count = 0, 0.0, 0
        while pos < len(data) - 2:
            bptt = min(random.Random(pos).randint(8, 16), len(data) - 1 - pos)
            x, y = data[pos:pos + bptt], data[pos + 1:pos + 1 + bptt]
            logits, raw = model(x)
            ce = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            loss = ce + 0.1 * regularise(raw) if bptt > 1 else ce
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            total += ce.detach()
            averaged = ce.detach() if averaged is None else 0.95 * averaged + 0.05 * ce.detach()
            count += 1
            pos += bptt
        history.append(total / count)
        print(f"epoch {epoch} ppl {math.exp(history[-1]):.2f} recent {math.exp(averaged):.2f}")


if __name__ == "__main__":
    main()
