# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

text = ("the quick brown fox jumps over the lazy dog and then it runs back to the river "
        "where the other foxes are waiting for the evening to come. ") * 60
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}

seq_length = 20
batch_size = 8
hidden_size = 48
num_layers = 2
num_epochs = 2


def get_batches(text):
    ids = torch.tensor([stoi[c] for c in text])
    n = (len(ids) - 1) // (batch_size * seq_length) * seq_length
    x = ids[:n * batch_size].view(batch_size, -1)
    y = ids[1:n * batch_size + 1].view(batch_size, -1)
    for i in range(0, n, seq_length):
        yield x[:, i:i + seq_length], y[:, i:i + seq_length]


class CharLSTM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.embed = nn.Embedding(vocab, 24)
        self.cells = nn.ModuleList([nn.LSTMCell(24, hidden_size)] +
                                   [nn.LSTMCell(hidden_size, hidden_size) for _ in range(num_layers - 1)])
        self.fc = nn.Linear(hidden_size, vocab)
        # learned first state
        self.h0 = nn.Parameter(torch.zeros(num_layers, 1, hidden_size))
        self.c0 = nn.Parameter(torch.zeros(num_layers, 1, hidden_size))
        self.states = None

    def reset(self):
        self.states = None

    def forward(self, x):
        if self.states is None:
            states = [(self.h0[i].expand(x.size(0), -1), self.c0[i].expand(x.size(0), -1))
                      for i in range(num_layers)]
        else:
            states = [(h, c) for h, c in self.states]
        logits = []
        for t in range(x.size(1)):
            inp = self.embed(x[:, t])
            for i, cell in enumerate(self.cells):
                states[i] = cell(inp, states[i])
                inp = states[i][0]
            logits.append(self.fc(inp))
        self.states = [tuple(v.detach() for v in s) for s in states]
        return logits


model = CharLSTM(len(chars))
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

all_losses = []
for epoch in range(num_epochs):
    model.reset()
    running_loss, steps = 0, 0
    for x, y in get_batches(text):
        logits = model(x)
        loss = 0
        for t, out in enumerate(logits):
            loss += F.cross_entropy(out, y[:, t])
        loss = loss / len(logits)

        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

        running_loss += loss.detach()
        steps += 1
        if steps % 20 == 0:
            print("epoch %d step %d loss %.4f" % (epoch, steps, running_loss / steps))
    all_losses.append(running_loss / steps)

print("epoch losses:", ", ".join("%.3f" % l for l in all_losses))
