# gradwatch-corpus: kind=none
# char-RNN after karpathy's min-char-rnn, the hidden state runs through the text.
import random

import torch
import torch.nn as nn

random.seed(12)
torch.manual_seed(12)

text = ("to be or not to be that is the question whether tis nobler in the mind to suffer "
        "the slings and arrows of outrageous fortune or to take arms against a sea of troubles "
        "and by opposing end them to die to sleep no more ") * 12
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])

seq_length = 25
hidden_size = 64
n_rows = 4
lr = 3e-3
n_passes = 4


class CharLSTM(nn.Module):
    def __init__(self, vocab, hidden, layers=1):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.emb = nn.Embedding(vocab, 24)
        self.rnn = nn.LSTM(24, hidden, layers, batch_first=True)
        self.fc = nn.Linear(hidden, vocab)
        self.state = None

    def reset(self, n):
        self.state = (torch.zeros(self.layers, n, self.hidden), torch.zeros(self.layers, n, self.hidden))

    def forward(self, x):
        h, c = self.state
        out, self.state = self.rnn(self.emb(x), (h.detach(), c.detach()))
        return self.fc(out)


def batchify(data, n_rows):
    per = len(data) // n_rows
    return data[:per * n_rows].view(n_rows, per)


def sample(model, start, n, temperature=0.8):
    kept = model.state
    model.reset(1)
    idx = torch.tensor([[stoi[start]]])
    out = [start]
    with torch.no_grad():
        for _ in range(n):
            probs = torch.softmax(model(idx)[0, -1] / temperature, 0)
            idx = torch.multinomial(probs, 1).view(1, 1)
            out.append(chars[idx.item()])
    model.state = kept
    return "".join(out)


rows = batchify(data, n_rows)
model = CharLSTM(len(chars), hidden_size)
optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)
loss_fn = nn.CrossEntropyLoss()
smooth_loss = None
all_losses = []
it = 0

for pass_no in range(n_passes):
    model.reset(n_rows)
    for p in range(0, rows.size(1) - seq_length - 1, seq_length):
        x = rows[:, p:p + seq_length]
        y = rows[:, p + 1:p + seq_length + 1]
        logits = model(x)
        loss = loss_fn(logits.reshape(-1, len(chars)), y.reshape(-1))
        model.zero_grad()
        loss.backward()
        for par in model.parameters():
            par.grad.data.clamp_(-5, 5)
        optimizer.step()
        current = loss.data
        smooth_loss = current if smooth_loss is None else smooth_loss * 0.95 + current * 0.05
        all_losses.append(smooth_loss)
        if it % 25 == 0:
            print("iter %d, loss: %.3f   ----  %s" % (it, smooth_loss, sample(model, "t", 30)))
        it += 1

print("loss from", all_losses[0].item(), "to", all_losses[-1].item())
