# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import argparse
import math
import time

import torch
import torch.nn as nn

parser = argparse.ArgumentParser(description="PyTorch RNN/LSTM Language Model")
parser.add_argument("--emsize", type=int, default=16)
parser.add_argument("--nhid", type=int, default=24)
parser.add_argument("--nlayers", type=int, default=1)
parser.add_argument("--lr", type=float, default=2.0)
parser.add_argument("--clip", type=float, default=0.25)
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--bptt", type=int, default=6)
parser.add_argument("--seed", type=int, default=1111)
parser.add_argument("--log-interval", type=int, default=15)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)


class Corpus:
    def __init__(self, ntokens=40):
        self.ntokens = ntokens
        self.train, self.valid = self.markov(2900), self.markov(400)

    def markov(self, n):
        ids, cur = [], 0
        jumps = torch.randint(0, 3, (n,)).tolist()
        for j in jumps:
            cur = (cur * 3 + j + 1) % self.ntokens
            ids.append(cur)
        return torch.tensor(ids)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers):
        super().__init__()
        self.ntoken, self.nhid, self.nlayers = ntoken, nhid, nlayers
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.uniform_(self.decoder.weight, -0.1, 0.1)

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.encoder(input), hidden)
        decoded = self.decoder(output).view(-1, self.ntoken)
        return nn.functional.log_softmax(decoded, dim=1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(self.nlayers, bsz, self.nhid), weight.new_zeros(self.nlayers, bsz, self.nhid))


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(args.bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].view(-1)


def evaluate(source):
    model.eval()
    total, hidden = 0.0, model.init_hidden(source.size(1))
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, args.bptt):
            data, targets = get_batch(source, i)
            output, hidden = model(data, hidden)
            total += len(data) * criterion(output, targets).item()
    return total / (len(source) - 1)


def train(epoch):
    model.train()
    total_loss, start_time = 0.0, time.time()
    hidden = model.init_hidden(args.batch_size)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, args.bptt)):
        data, targets = get_batch(train_data, i)
        model.zero_grad()
        output, hidden = model(data, hidden)  # <- culprit
        loss = criterion(output, targets)
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-args.lr)
        total_loss += loss.item()
        if batch % args.log_interval == 0 and batch > 0:
            cur = total_loss / args.log_interval
            ms = (time.time() - start_time) * 1000 / args.log_interval
            print(f"| epoch {epoch:3d} | {batch:5d} batches | ms/batch {ms:5.2f} | loss {cur:5.2f} | ppl {math.exp(cur):8.2f}")
            total_loss, start_time = 0.0, time.time()


corpus = Corpus()
train_data, val_data = batchify(corpus.train, args.batch_size), batchify(corpus.valid, 4)
model = RNNModel(corpus.ntokens, args.emsize, args.nhid, args.nlayers)
criterion = nn.NLLLoss()
for epoch in range(1, args.epochs + 1):
    train(epoch)
    print(f"| end of epoch {epoch:3d} | valid ppl {math.exp(evaluate(val_data)):8.2f}")
