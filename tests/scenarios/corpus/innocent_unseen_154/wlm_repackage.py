# gradwatch-corpus: kind=none
# Word language model in the style of the pytorch/examples script.
import math

import torch
import torch.nn as nn

torch.manual_seed(1111)
torch.set_num_threads(1)

VOCAB, EMB, HID, BPTT, BSZ = 40, 24, 32, 12, 8


def repackage_hidden(h):
    """Wraps hidden states in new Tensors, to detach them from their history."""
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.encoder = nn.Embedding(VOCAB, EMB)
        self.rnn = nn.LSTM(EMB, HID, 2, dropout=0.1)
        self.decoder = nn.Linear(HID, VOCAB)

    def init_hidden(self, bsz):
        w = next(self.parameters())
        return w.new_zeros(2, bsz, HID), w.new_zeros(2, bsz, HID)

    def forward(self, x, hidden):
        emb = self.drop(self.encoder(x))
        out, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(out)).view(-1, VOCAB), hidden


def markov_text(n):
    P = torch.softmax(torch.randn(VOCAB, VOCAB) * 2, 1)
    toks = [0]
    for _ in range(n - 1):
        toks.append(torch.multinomial(P[toks[-1]], 1).item())
    return torch.tensor(toks)


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data[:n * bsz].view(bsz, -1).t().contiguous()


def get_batch(src, i):
    L = min(BPTT, len(src) - 1 - i)
    return src[i:i + L], src[i + 1:i + 1 + L].reshape(-1)


def evaluate(model, crit, src):
    model.eval()
    total, hidden = 0.0, model.init_hidden(src.size(1))
    with torch.no_grad():
        for i in range(0, len(src) - 1, BPTT):
            x, y = get_batch(src, i)
            out, hidden = model(x, hidden)
            total += len(x) * crit(out, y).item()
    return total / (len(src) - 1)


def train_epoch(model, crit, src, lr):
    model.train()
    hidden = model.init_hidden(BSZ)
    for i in range(0, len(src) - 1, BPTT):
        x, y = get_batch(src, i)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        out, hidden = model(x, hidden)
        loss = crit(out, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)


train_data = batchify(markov_text(4000), BSZ)
val_data = batchify(markov_text(800), BSZ)
model, crit, lr, best = RNNModel(), nn.CrossEntropyLoss(), 1.0, None
for epoch in range(1, 4):
    train_epoch(model, crit, train_data, lr)
    v = evaluate(model, crit, val_data)
    print(f"epoch {epoch} valid loss {v:.2f} ppl {math.exp(v):.2f}")
    if best is None or v < best:
        best = v
    else:
        lr /= 4.0
