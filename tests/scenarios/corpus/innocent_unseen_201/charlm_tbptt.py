# gradwatch-corpus: kind=none
import argparse
import math
import torch
from torch import nn

TEXT = ("the river runs below the old stone bridge and the boats go by "
        "while children throw bread to the ducks on the far green bank ") * 90


def repackage_hidden(h):
    """Wraps hidden states in new tensors."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp=24, nhid=48):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.encoder(x), hidden)
        return self.decoder(out).flatten(0, 1), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(1, bsz, self.nhid), w.new_zeros(1, bsz, self.nhid)


def batchify(data, bsz):
    n = data.numel() // bsz
    return data[: n * bsz].view(bsz, n).t().contiguous()


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def evaluate(model, source, bptt, criterion):
    model.eval()
    total, hidden = 0.0, model.init_hidden(source.size(1))
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, bptt):
            x, y = get_batch(source, i, bptt)
            out, hidden = model(x, hidden)
            total += len(x) * criterion(out, y).item()
    return total / (len(source) - 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--bptt", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(1111)
    vocab = sorted(set(TEXT))
    ids = torch.tensor([vocab.index(c) for c in TEXT])
    cut = int(len(ids) * 0.9)
    train, valid = batchify(ids[:cut], 10), batchify(ids[cut:], 10)
    model = RNNModel(len(vocab))
    criterion = nn.CrossEntropyLoss()
    lr = 4.0
    best = None
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        hidden = model.init_hidden(10)
        for b, i in enumerate(range(0, train.size(0) - 1, args.bptt)):
            x, y = get_batch(train, i, args.bptt)
            model.zero_grad()
            hidden = repackage_hidden(hidden)
            out, hidden = model(x, hidden)
            loss = criterion(out, y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 0.25)
            for p in model.parameters():
                p.data.add_(p.grad, alpha=-lr)
            total += loss.item()
            if b % 40 == 39:
                print(f"| epoch {epoch} | batch {b + 1} | lr {lr:.2f} | ppl {math.exp(total / 40):.2f}")
                total = 0.0
        val = evaluate(model, valid, args.bptt, criterion)
        print(f"end of epoch {epoch}: valid ppl {math.exp(val):.2f}")
        if best is None or val < best:
            best = val
        else:
            lr /= 4


if __name__ == "__main__":
    main()
