# gradwatch-corpus: kind=none
"""Word-level LSTM language model, after the PyTorch word_language_model example."""
import math

import torch
import torch.nn as nn

torch.manual_seed(1111)

NTOKENS = 60
BPTT = 12
BSZ = 10


def markov_corpus(n):
    trans = torch.softmax(3 * torch.randn(NTOKENS, NTOKENS), dim=1)
    draws = torch.multinomial(trans, 200, replacement=True)
    out, w = [], 0
    for i in range(n):
        w = draws[w, i % 200].item()
        out.append(w)
    return torch.tensor(out)


def batchify(data, bsz):
    nbatch = data.size(0) // bsz
    return data.narrow(0, 0, nbatch * bsz).view(bsz, -1).t().contiguous()


def get_batch(source, i):
    seq_len = min(BPTT, len(source) - 1 - i)
    return source[i:i + seq_len], source[i + 1:i + 1 + seq_len].reshape(-1)


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nhid, nlayers, dropout=0.2):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid, nlayers, dropout=dropout)
        self.decoder = nn.Linear(nhid, ntoken)
        self.nhid, self.nlayers, self.ntoken = nhid, nlayers, ntoken

    def forward(self, input, hidden):
        emb = self.drop(self.encoder(input))
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(output)).view(-1, self.ntoken), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return (weight.new_zeros(self.nlayers, bsz, self.nhid),
                weight.new_zeros(self.nlayers, bsz, self.nhid))


corpus = markov_corpus(30000)
train_data = batchify(corpus[:27000], BSZ)
val_data = batchify(corpus[27000:], BSZ)
model = RNNModel(NTOKENS, 32, 32, 2)
criterion = nn.CrossEntropyLoss()
lr = 5.0
best_val_loss = None


def evaluate(source):
    model.eval()
    total_loss = 0.0
    hidden = model.init_hidden(BSZ)
    with torch.no_grad():
        for i in range(0, source.size(0) - 1, BPTT):
            data, targets = get_batch(source, i)
            output, hidden = model(data, hidden)
            total_loss += len(data) * criterion(output, targets)
    return (total_loss / (len(source) - 1)).item()


def train(epoch):
    model.train()
    total_loss = 0.0
    hidden = model.init_hidden(BSZ)
    for batch, i in enumerate(range(0, train_data.size(0) - 1, BPTT)):
        data, targets = get_batch(train_data, i)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
        if batch % 75 == 0 and batch > 0:
            cur_loss = total_loss / 75
            print("| epoch {:3d} | {:5d} batches | loss {:5.2f} | ppl {:8.2f}".format(
                epoch, batch, cur_loss, math.exp(cur_loss)))
            total_loss = 0.0


for epoch in range(1, 4):
    train(epoch)
    val_loss = evaluate(val_data)
    print("| end of epoch {:3d} | valid loss {:5.2f}".format(epoch, val_loss))
    if best_val_loss is None or val_loss < best_val_loss:
        best_val_loss = val_loss
    else:
        lr /= 4.0
