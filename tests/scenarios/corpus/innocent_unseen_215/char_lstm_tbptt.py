# gradwatch-corpus: kind=none
"""Character model with truncated BPTT; state is carried over the chunks of one pass."""
import argparse
import math

import torch
import torch.nn as nn


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class CharLM(nn.Module):
    def __init__(self, vocab, emb=24, hidden=64, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hidden, layers)
        self.dec = nn.Linear(hidden, vocab)
        self.layers, self.hidden = layers, hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return (w.new_zeros(self.layers, bsz, self.hidden), w.new_zeros(self.layers, bsz, self.hidden))

    def forward(self, x, h):
        y, h = self.lstm(self.emb(x), h)
        return self.dec(y), h


def corpus(n=6000, vocab=12):
    g = torch.Generator().manual_seed(1)
    trans = torch.softmax(3 * torch.randn(vocab, vocab, generator=g), -1)
    s = [0]
    for _ in range(n):
        s.append(int(torch.multinomial(trans[s[-1]], 1, generator=g)))
    return torch.tensor(s), vocab


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bptt", type=int, default=20)
    ap.add_argument("--batch", type=int, default=8)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--clip", type=float, default=0.5)
    args = ap.parse_args()
    torch.manual_seed(0)
    ids, vocab = corpus()
    n = len(ids) // args.batch
    data = ids[:n * args.batch].view(args.batch, n).t().contiguous()
    model = CharLM(vocab)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    loss_fn = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        hidden = model.init_hidden(args.batch)
        total, count = 0.0, 0
        for i in range(0, len(data) - 1, args.bptt):
            seq = min(args.bptt, len(data) - 1 - i)
            x, y = data[i:i + seq], data[i + 1:i + 1 + seq]
            hidden = repackage(hidden)
            logits, hidden = model(x, hidden)
            loss = loss_fn(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
            opt.step()
            total += loss.item() * seq
            count += seq
        print(f"epoch {epoch} ppl {math.exp(total / count):.3f}")


if __name__ == "__main__":
    main()
