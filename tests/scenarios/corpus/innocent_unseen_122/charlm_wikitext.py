# gradwatch-corpus: kind=none
# word_language_model example, stripped down to characters
import math
import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(1111)
text = ("the cat sat on the mat . a dog ate the hat . the rat ran at the cat . " * 30)
vocab = sorted(set(text))
ids = torch.tensor([vocab.index(ch) for ch in text])
BSZ, BPTT = 4, 10


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data.narrow(0, 0, n * bsz).view(bsz, -1).t().contiguous()


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


def get_batch(source, i):
    n = min(BPTT, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp=16, nhid=24):
        super().__init__()
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, nhid)
        self.drop = nn.Dropout(0.1)
        self.decoder = nn.Linear(nhid, ntoken)

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        return self.decoder(self.drop(out)).view(-1, self.decoder.out_features), hidden

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(1, bsz, 24), w.new_zeros(1, bsz, 24)


train_data = batchify(ids, BSZ)
model = RNNModel(len(vocab))
criterion = nn.CrossEntropyLoss()
lr = 2.0


def train(epoch):
    total_loss, n = 0.0, 0
    hidden = model.init_hidden(BSZ)
    for i in range(0, train_data.size(0) - 1, BPTT):
        data, targets = get_batch(train_data, i)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        with torch.no_grad():
            for p in model.parameters():
                p.add_(p.grad, alpha=-lr)
        total_loss += loss.item()
        n += 1
    print(f"| epoch {epoch:2d} | loss {total_loss / n:5.2f} | ppl {math.exp(total_loss / n):6.2f}")


for epoch in range(1, 13):
    train(epoch)
