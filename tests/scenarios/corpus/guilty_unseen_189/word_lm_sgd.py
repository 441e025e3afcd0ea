# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import argparse
import math

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="small recurrent language model")
parser.add_argument("--emsize", type=int, default=12)
parser.add_argument("--nhid", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.5)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--bptt", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=4)
parser.add_argument("--log-interval", type=int, default=100)
parser.add_argument("--seed", type=int, default=1111)
args = parser.parse_args()
torch.manual_seed(args.seed)


def markov_text(n, vocab, seed):
    g = torch.Generator().manual_seed(seed)
    table = torch.softmax(3 * torch.randn(vocab, vocab, generator=g), -1)
    ids = [0]
    for _ in range(n - 1):
        ids.append(int(torch.multinomial(table[ids[-1]], 1, generator=g)))
    return torch.tensor(ids)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(args.bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.i2h = nn.Linear(ninp, nhid)
        self.h2h = nn.Linear(nhid, nhid, bias=False)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.orthogonal_(self.h2h.weight, 0.8)

    def forward(self, tokens, hidden):
        projected = self.i2h(self.encoder(tokens))
        outs = []
        for p in projected:
            hidden = torch.tanh(p + self.h2h(hidden))
            outs.append(hidden)
        return self.decoder(torch.stack(outs)).flatten(0, 1), hidden

    def init_hidden(self, bsz):
        return next(self.parameters()).new_zeros(bsz, self.nhid)


VOCAB = 15
corpus = batchify(markov_text(3300, VOCAB, 7), args.batch_size)
model = RNNModel(VOCAB, args.emsize, args.nhid)
criterion = nn.CrossEntropyLoss()


def train():
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(args.batch_size)
    for batch, i in enumerate(range(0, corpus.size(0) - 1, args.bptt)):
        data, targets = get_batch(corpus, i)
        model.zero_grad()
        output, hidden = model(data, hidden)  # <- culprit
        loss = criterion(output, targets)
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-args.lr)
        total_loss += loss.item()
        if batch % args.log_interval == 0 and batch > 0:
            cur = total_loss / args.log_interval
            print(f"| {batch:5d} batches | loss {cur:5.2f} | ppl {math.exp(cur):8.2f}")
            total_loss = 0.0


if __name__ == "__main__":
    train()
