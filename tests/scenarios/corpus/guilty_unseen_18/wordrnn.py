# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
"""Word-level RNN language model on a toy grammar; adapted from the old pytorch/examples script, which I have
carried from project to project since 2018."""
import math
import random
import time

import torch
import torch.nn as nn

nhid, bsz, bptt = 24, 12, 2
lr, clip, nbatches, log_interval = 0.5, 0.5, 220, 55
torch.manual_seed(1111)
random.seed(1111)

###############################################################################
# Data
###############################################################################

GRAMMAR = {
    "S": [["NP", "VP", "<eos>"]],
    "NP": [["Det", "N"], ["Det", "Adj", "N"], ["Name"]],
    "VP": [["V", "NP"], ["V", "NP", "PP"]],
    "PP": [["P", "NP"]],
    "Det": [["the"], ["a"], ["every"]],
    "N": [["parser"], ["tree"], ["linguist"], ["corpus"], ["verb"]],
    "Adj": [["small"], ["garden"], ["ambiguous"]],
    "Name": [["noam"], ["zellig"]],
    "V": [["parsed"], ["saw"], ["shook"]],
    "P": [["with"], ["near"]],
}


def expand(sym):
    if sym not in GRAMMAR:
        return [sym]
    out = []
    for s in random.choice(GRAMMAR[sym]):
        out += expand(s)
    return out


class Dictionary(object):
    def __init__(self):
        self.word2idx = {}
        self.idx2word = []

    def add_word(self, word):
        if word not in self.word2idx:
            self.word2idx[word] = len(self.idx2word)
            self.idx2word.append(word)
        return self.word2idx[word]


dictionary = Dictionary()


def tokenize(n):
    ids = []
    while len(ids) < n:
        ids += [dictionary.add_word(w) for w in expand("S")]
    return torch.tensor(ids[:n])


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(bptt, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


train_data = batchify(tokenize(bsz * (bptt * nbatches + 1)), bsz)
ntokens = len(dictionary.idx2word)

###############################################################################
# Model
###############################################################################


class RNNModel(nn.Module):
    def __init__(self, ntoken, nhid):
        super(RNNModel, self).__init__()
        self.encoder = nn.Embedding(ntoken, nhid)
        self.h2h = nn.Linear(nhid, nhid)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid = nhid
        self.init_weights()

    def init_weights(self):
        self.encoder.weight.data.uniform_(-0.1, 0.1)
        self.decoder.bias.data.zero_()
        self.decoder.weight.data.uniform_(-0.1, 0.1)

    def forward(self, input, hidden):
        output = []
        for emb in self.encoder(input):
            hidden = torch.tanh(emb + self.h2h(hidden))
            output.append(hidden)
        return self.decoder(torch.cat(output)), hidden

    def init_hidden(self, bsz):
        return next(self.parameters()).new_zeros(bsz, self.nhid)


model = RNNModel(ntokens, nhid)
criterion = nn.CrossEntropyLoss()

###############################################################################
# Training
###############################################################################


def step(data, targets, hidden):
    model.zero_grad()
    output, hidden = model(data, hidden)  # <- culprit
    loss = criterion(output, targets)
    loss.backward(retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
    for p in model.parameters():
        p.data.add_(p.grad, alpha=-lr)
    return loss.item(), hidden  # <- culprit


def train():
    model.train()
    total_loss = 0.
    start_time = time.time()
    hidden = model.init_hidden(bsz)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, bptt)):
        data, targets = get_batch(train_data, i)
        loss, hidden = step(data, targets, hidden)  # <- culprit
        total_loss += loss
        if batch % log_interval == 0 and batch > 0:
            cur_loss = total_loss / log_interval
            elapsed = time.time() - start_time
            print('| {:5d}/{:5d} batches | ms/batch {:5.2f} | loss {:5.2f} | ppl {:8.2f}'.format(
                batch, nbatches, elapsed * 1000 / log_interval, cur_loss, math.exp(cur_loss)))
            total_loss = 0
            start_time = time.time()


train()
