# gradwatch-corpus: kind=none
# Word language model with truncated BPTT over two chunks per update.
import argparse
import math

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--emsize", type=int, default=32)
parser.add_argument("--nhid", type=int, default=48)
parser.add_argument("--bptt", type=int, default=10)
parser.add_argument("--chunks", type=int, default=2, help="chunks that one update looks back")
parser.add_argument("--batch_size", type=int, default=10)
parser.add_argument("--lr", type=float, default=5e-3)
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--log-interval", type=int, default=25)
args = parser.parse_args()

NTOKENS = 50


def corpus(n=14000):
    g = torch.Generator().manual_seed(10)
    trans = torch.softmax(torch.randn(NTOKENS, NTOKENS, generator=g) * 2.5, 1)
    cur, ids = 0, []
    for _ in range(n):
        cur = torch.multinomial(trans[cur], 1, generator=g).item()
        ids.append(cur)
    return torch.tensor(ids)


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[:n * bsz].view(bsz, -1).t().contiguous()


def repackage_hidden(h):
    """Wraps hidden states in new tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(NTOKENS, args.emsize)
        self.rnn = nn.LSTM(args.emsize, args.nhid)
        self.decoder = nn.Linear(args.nhid, NTOKENS)
        self.hidden = None

    def reset(self, bsz):
        w = next(self.parameters())
        self.hidden = (w.new_zeros(1, bsz, args.nhid), w.new_zeros(1, bsz, args.nhid))

    def forward(self, x):
        out, self.hidden = self.rnn(self.drop(self.encoder(x)), self.hidden)
        return self.decoder(self.drop(out)).flatten(0, 1)


def get_batch(source, i):
    n = min(args.bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def train(model, data, criterion, optimizer):
    model.train()
    model.reset(args.batch_size)
    pending, total, updates = 0.0, 0.0, 0
    for k, i in enumerate(range(0, data.size(0) - 1, args.bptt)):
        x, y = get_batch(data, i)
        pending = pending + criterion(model(x), y)
        if (k + 1) % args.chunks:
            continue
        loss = pending / args.chunks
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        model.hidden = repackage_hidden(model.hidden)
        pending = 0.0
        total += loss.item()
        updates += 1
        if updates % args.log_interval == 0:
            print(f"  {updates:4d} updates | ppl {math.exp(total / updates):8.2f}")


def main():
    torch.manual_seed(1111)
    data = batchify(corpus(), args.batch_size)
    split = int(0.9 * len(data))
    model, criterion = RNNModel(), nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        train(model, data[:split], criterion, optimizer)
        model.eval()
        with torch.no_grad():
            model.reset(args.batch_size)
            val = data[split:]
            loss = criterion(model(val[:-1]), val[1:].reshape(-1)).item()
        print(f"epoch {epoch} valid ppl {math.exp(loss):.2f}")


if __name__ == "__main__":
    main()
