# gradwatch-corpus: kind=none
import math
import random
import time

import torch
import torch.nn as nn

torch.manual_seed(1111)
random.seed(1111)

emsize, nhid, nlayers, bptt, batch_size, clip = 24, 40, 2, 12, 8, 0.25
lr = 3.0


def corpus(n):
    grammar = {"S": [["NP", "VP", "."]], "NP": [["the", "N"], ["a", "A", "N"]],
               "VP": [["V", "NP"], ["V"], ["V", "and", "VP"]],
               "N": [["cat"], ["dog"], ["bird"], ["tree"]], "A": [["small"], ["old"], ["red"]],
               "V": [["sees"], ["likes"], ["sleeps"]]}

    def expand(sym):
        if sym not in grammar:
            return [sym]
        return [w for s in random.choice(grammar[sym]) for w in expand(s)]

    words = []
    while len(words) < n:
        words += expand("S")
    vocab = sorted(set(words))
    ids = {w: i for i, w in enumerate(vocab)}
    return torch.tensor([ids[w] for w in words[:n]]), vocab


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data[:nbatch * bsz].view(bsz, -1).t().contiguous()


def get_batch(source, i, seq_len):
    seq_len = min(seq_len, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


def repackage_hidden(h):
    """Wraps hidden states in new Tensors."""
    if isinstance(h, torch.Tensor):
        return h.data
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, ntoken):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(ntoken, emsize)
        self.rnn = nn.LSTM(emsize, nhid, nlayers)
        self.decoder = nn.Linear(nhid, ntoken)

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(nlayers, bsz, nhid), weight.new_zeros(nlayers, bsz, nhid))

    def forward(self, input, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(input)), hidden)
        return self.decoder(self.drop(output)).flatten(0, 1), hidden


tokens, vocab = corpus(4400)
train_data, val_data = batchify(tokens[:4000], batch_size), batchify(tokens[4000:], 4)
model = RNNModel(len(vocab))
criterion = nn.CrossEntropyLoss()


def evaluate(source):
    model.eval()
    total_loss, hidden = 0., model.init_hidden(4)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, bptt):
            data, targets = get_batch(source, i, bptt)
            output, hidden = model(data, hidden)
            total_loss += len(data) * criterion(output, targets)
    return total_loss.item() / (len(source) - 1)


def train(epoch):
    model.train()
    total_loss, n = 0., 0
    hidden = model.init_hidden(batch_size)
    i = 0
    while i < train_data.size(0) - 2:
        seq_len = max(4, int(random.gauss(bptt, 3)))
        data, targets = get_batch(train_data, i, seq_len)
        hidden = repackage_hidden(hidden)
        model.zero_grad()
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.data
        n += 1
        i += seq_len
    print('| epoch {} | {} batches | ppl {:.2f}'.format(epoch, n, math.exp(total_loss.item() / n)))


start = time.time()
for epoch in (1, 2):
    train(epoch)
    val_loss = evaluate(val_data)
    print('| end of epoch {} | time {:.1f}s | valid ppl {:.2f}'.format(epoch, time.time() - start, math.exp(val_loss)))
