# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# Homework 3: next character of a long text with an RNN cell, manual updates
import torch
import torch.nn as nn
import string
import time
import math

torch.manual_seed(3)

all_letters = string.ascii_lowercase + " .,"
n_letters = len(all_letters)

corpus = ("the quick brown fox jumps over the lazy dog. "
          "she sells sea shells by the sea shore, and he sells none. ") * 12


def letterToIndex(letter):
    return all_letters.find(letter)


def letterToTensor(letter):
    t = torch.zeros(1, n_letters)
    t[0][letterToIndex(letter)] = 1
    return t


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super(RNN, self).__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, input, hidden):
        combined = torch.cat((input, hidden), 1)
        hidden = torch.tanh(self.i2h(combined))
        output = self.softmax(self.h2o(hidden))
        return output, hidden

    def initHidden(self):
        return torch.zeros(1, self.hidden_size)


n_hidden = 32
rnn = RNN(n_letters, n_hidden, n_letters)
criterion = nn.NLLLoss()
learning_rate = 0.01


def timeSince(since):
    s = time.time() - since
    m = math.floor(s / 60)
    return '%dm %ds' % (m, s - m * 60)


n_iters = 450
print_every = 75
current_loss = 0
all_losses = []
start = time.time()

hidden = rnn.initHidden()
for iter in range(n_iters):
    ch = corpus[iter]
    target = torch.tensor([letterToIndex(corpus[iter + 1])])

    rnn.zero_grad()
    output, hidden = rnn(letterToTensor(ch), hidden)  # <- culprit
    loss = criterion(output, target)
    loss.backward(retain_graph=True)

    torch.nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)

    current_loss += loss.item()
    if (iter + 1) % print_every == 0:
        guess = all_letters[output.argmax(1).item()]
        print('%d %d%% (%s) %.4f %s / %s' % (
            iter + 1, (iter + 1) / n_iters * 100, timeSince(start),
            current_loss / print_every, repr(ch), repr(guess)))
        all_losses.append(current_loss / print_every)
        current_loss = 0

print("min avg loss", min(all_losses))
