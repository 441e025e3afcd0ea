# gradwatch-corpus: kind=none
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(103)

NTOK = 15
corpus = torch.zeros(1800, dtype=torch.long)
for i in range(2, 1800):
    corpus[i] = (corpus[i - 1] * 2 + corpus[i - 2] + 1) % NTOK if torch.rand(1) < 0.8 else torch.randint(0, NTOK, (1,))


def batchify(data, bsz):
    nb = data.size(0) // bsz
    return data[:nb * bsz].view(bsz, -1).t().contiguous()


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, nhid=16):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(NTOK, nhid)
        self.rnn = nn.LSTM(nhid, nhid, 2, dropout=0.1)
        self.decoder = nn.Linear(nhid, NTOK)
        self.decoder.weight = self.encoder.weight

    def forward(self, inp, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(inp)), hidden)
        return self.decoder(self.drop(out)).view(-1, NTOK), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(2, bsz, 16), w.new_zeros(2, bsz, 16)


model, crit = RNNModel(), nn.CrossEntropyLoss()
train_data, val_data = batchify(corpus[:1500], 6), batchify(corpus[1500:], 6)
lr, best = 2.0, None


def evaluate(src):
    model.eval()
    hidden, tot = model.init_hidden(6), 0.0
    with torch.no_grad():
        for i in range(0, src.size(0) - 1, 8):
            n = min(8, src.size(0) - 1 - i)
            out, hidden = model(src[i:i + n], hidden)
            tot += n * crit(out, src[i + 1:i + 1 + n].reshape(-1)).item()
    return tot / (src.size(0) - 1)


for epoch in range(18):
    model.train()
    hidden = model.init_hidden(6)
    total_loss = 0.0
    for i in range(0, train_data.size(0) - 9, 8):
        hidden = repackage_hidden(hidden)
        model.zero_grad()
        out, hidden = model(train_data[i:i + 8], hidden)
        loss = crit(out, train_data[i + 1:i + 9].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
    v = evaluate(val_data)
    if best is None or v < best:
        best = v
    else:
        lr /= 1.5
    print(epoch, total_loss, "ppl", math.exp(v))
