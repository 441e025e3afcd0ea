# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# notice: 5
# Adapted from a char-rnn tutorial: guess the next letter in a running stream of surnames.
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(5)

NAMES = ["okafor", "nguyen", "schmidt", "rossi", "tanaka", "silva", "novak", "hassan", "larsen", "dubois"]
ALPHA = sorted(set("".join(NAMES)) | {"."})
IX = {c: i for i, c in enumerate(ALPHA)}
stream = ".".join(NAMES) + "."


def letter(c):
    v = torch.zeros(1, len(ALPHA))
    v[0, IX[c]] = 1
    return v


class RNN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.n_hidden = n_hidden
        self.i2h = nn.Linear(n_in + n_hidden, n_hidden)
        self.h2o = nn.Linear(n_hidden, n_out)

    def forward(self, inp, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((inp, hidden), 1)))
        return nn.functional.log_softmax(self.h2o(hidden), 1), hidden

    def init_hidden(self):
        return torch.zeros(1, self.n_hidden)


rnn = RNN(len(ALPHA), 16, len(ALPHA))
criterion = nn.NLLLoss()
learning_rate = 0.01


def train(line, hidden):
    rnn.zero_grad()
    loss = 0
    for a, b in zip(line, line[1:]):
        output, hidden = rnn(letter(a), hidden)
        loss = loss + criterion(output, torch.tensor([IX[b]]))
    loss = loss / (len(line) - 1)
    loss.backward(retain_graph=True)
    torch.nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-learning_rate)
    return hidden, loss.item()  # <- culprit


hidden = rnn.init_hidden()
pos = 0
for it in range(160):
    chunk = stream[pos:pos + 5]
    if len(chunk) < 5:
        pos, chunk = 0, stream[:5]
    hidden, cost = train(chunk, hidden)  # <- culprit
    pos += 4
    if it % 20 == 0:
        print(it, "%.4f" % cost)
