# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
"""Generate folk tunes, after the 'names' character RNN tutorial."""
import math
import random
import time

import torch
import torch.nn as nn

random.seed(3)
torch.manual_seed(3)

PITCHES = ["C", "D", "E", "F", "G", "A", "B", "c", "d", "e", "|", "z"]
N_NOTES = len(PITCHES)
HIDDEN = 32
BAR = 6
LR = 0.005


def fake_tune(length):
    pos = random.randint(0, 9)
    tune = []
    for i in range(length):
        if i % 5 == 4:
            tune.append("|")
            continue
        pos = min(9, max(0, pos + random.choice([-2, -1, 1, 2])))
        tune.append(PITCHES[pos])
    return tune


def to_one_hot(notes):
    out = torch.zeros(len(notes), 1, N_NOTES)
    for i, n in enumerate(notes):
        out[i][0][PITCHES.index(n)] = 1
    return out


def to_target(notes):
    return torch.tensor([PITCHES.index(n) for n in notes])


class TuneRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, note, hidden):
        combined = torch.cat((note, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        output = self.softmax(self.h2o(hidden))
        return output, hidden

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size)


rnn = TuneRNN(N_NOTES, HIDDEN, N_NOTES)
criterion = nn.NLLLoss()
hidden = rnn.init_hidden()


def train(notes):
    global hidden
    x = to_one_hot(notes[:-1])
    y = to_target(notes[1:])
    rnn.zero_grad()
    loss = 0
    for i in range(x.size(0)):
        output, hidden = rnn(x[i], hidden)  # <- culprit
        loss = loss + criterion(output, y[i].unsqueeze(0))
    loss.backward(retain_graph=True)  # <- culprit
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-LR)
    return loss.item() / x.size(0)


tune = fake_tune(2000)
start = time.time()
avg = math.log(N_NOTES)
for it in range(90):
    bar = tune[it * BAR:it * BAR + BAR + 1]
    l = train(bar)
    avg = 0.95 * avg + 0.05 * l
    if it % 15 == 0:
        print("bar %d  loss %.4f  (%.1fs)" % (it, avg, time.time() - start))
print("last", round(avg, 4))
