# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
import random
import time

import torch
import torch.nn as nn

torch.manual_seed(1)
random.seed(1)

text = """the quick brown fox jumps over the lazy dog and runs away
into the green wood where nobody will find it before the night.
in the morning the fox comes back, a little hungry, and jumps again. """ * 12

all_chars = sorted(set(text))
n_characters = len(all_chars)
char2idx = {c: i for i, c in enumerate(all_chars)}

chunk_len = 8
hidden_size = 48
learning_rate = 0.01
n_iters = 75
print_every = 15


def one_hot(ch):
    v = torch.zeros(1, n_characters)
    v[0][char2idx[ch]] = 1
    return v


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

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size)


rnn = RNN(n_characters, hidden_size, n_characters)
criterion = nn.NLLLoss()


def train(chunk, hidden):
    rnn.zero_grad()
    loss = 0
    for i in range(len(chunk) - 1):
        output, hidden = rnn(one_hot(chunk[i]), hidden)
        loss += criterion(output, torch.tensor([char2idx[chunk[i + 1]]]))

    loss.backward(retain_graph=True)

    # plain SGD, as in the name classification tutorial
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)

    return hidden, loss.item() / (len(chunk) - 1)  # <- culprit


def generate(prime="the ", predict_len=40, temperature=0.8):
    with torch.no_grad():
        h = rnn.init_hidden()
        for c in prime[:-1]:
            _, h = rnn(one_hot(c), h)
        out, last = prime, prime[-1]
        for _ in range(predict_len):
            o, h = rnn(one_hot(last), h)
            probs = (o / temperature).exp().squeeze(0)
            last = all_chars[torch.multinomial(probs, 1).item()]
            out += last
    return out


start = time.time()
all_losses = []
loss_avg = 0
pos = random.randint(0, 100)

hidden = rnn.init_hidden()
for it in range(1, n_iters + 1):
    piece = text[pos:pos + chunk_len + 1]
    hidden, loss = train(piece, hidden)  # <- culprit
    pos += chunk_len
    loss_avg += loss

    if it % print_every == 0:
        all_losses.append(loss_avg / print_every)
        print("[%.1fs (%d %d%%) %.4f]" % (time.time() - start, it, 100 * it / n_iters, all_losses[-1]))
        print(repr(generate()))
        loss_avg = 0
