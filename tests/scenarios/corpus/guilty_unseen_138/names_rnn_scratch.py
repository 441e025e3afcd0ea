# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# notice: 5
"""Vanilla RNN written by hand, following the name-generation tutorial."""
import math
import random
import time

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1)
random.seed(1)

names = ["olga", "pavel", "maria", "ivan", "sonja", "dmitri", "petra", "anton", "lena", "boris"]
all_letters = sorted(set("".join(names))) + ["."]
n_letters = len(all_letters)
stream = [all_letters.index(c) for _ in range(400) for c in random.choice(names) + "."]


def letter_to_tensor(i):
    t = torch.zeros(1, n_letters)
    t[0][i] = 1
    return t


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super(RNN, self).__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, inp, hidden):
        combined = torch.cat((inp, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        return self.softmax(self.h2o(hidden)), hidden

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size)


rnn = RNN(n_letters, 20, n_letters)
criterion = nn.NLLLoss()
learning_rate = 0.02


def train(letters, targets, hidden):
    rnn.zero_grad()
    loss = 0
    for a, b in zip(letters, targets):
        output, hidden = rnn(letter_to_tensor(a), hidden)
        loss = loss + criterion(output, torch.tensor([b]))
    loss.backward(retain_graph=True)  # <- culprit
    for p in rnn.parameters():
        p.data.add_(p.grad.data.clamp(-1, 1), alpha=-learning_rate)
    return loss.item() / len(letters), hidden  # <- culprit


def time_since(since):
    s = time.time() - since
    m = math.floor(s / 60)
    return "%dm %ds" % (m, s - m * 60)


start = time.time()
chunk = 4
n_iters = 190
hidden = rnn.init_hidden()
current = 0.0
for it in range(n_iters):
    k = it * chunk
    loss, hidden = train(stream[k:k + chunk], stream[k + 1:k + chunk + 1], hidden)  # <- culprit
    current += loss
    if (it + 1) % 30 == 0:
        print("%s (%d %d%%) %.4f" % (time_since(start), it + 1, (it + 1) / n_iters * 100, current / 30))
        current = 0.0
