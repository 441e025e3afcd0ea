# gradwatch-corpus: kind=graph-chain
# holder: hidden
# first-bad: 1
# Character model in the manner of the old char-rnn tutorial.
import string
import time

import torch
import torch.nn as nn

TEXT = (
    "the harbour was quiet in the morning and the boats lay still against the wall. "
    "an old man sat on a coil of rope, mending a net, and did not look up. "
    "when the bell rang the gulls went up together and came down again one by one. "
) * 4
alphabet = sorted(set(string.ascii_lowercase + " .,"))
lookup = {c: i for i, c in enumerate(alphabet)}
n_letters = len(alphabet)


def one_hot(text):
    out = torch.zeros(len(text), n_letters)
    for row, c in enumerate(text):
        out[row, lookup[c]] = 1.0
    return out


def indices(text):
    return torch.tensor([lookup[c] for c in text])


class RNN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out):
        super().__init__()
        self.n_hidden = n_hidden
        self.i2h = nn.Linear(n_in + n_hidden, n_hidden)
        self.h2o = nn.Linear(n_hidden, n_out)
        self.log_softmax = nn.LogSoftmax(dim=1)

    def forward(self, letter, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((letter, hidden), 1)))
        return self.log_softmax(self.h2o(hidden)), hidden

    def init_hidden(self):
        return torch.zeros(1, self.n_hidden)


criterion = nn.NLLLoss()
learning_rate = 0.05
chunk = 8


def train_chunk(rnn, hidden, inputs, targets):
    rnn.zero_grad()
    loss = 0
    for i in range(inputs.size(0)):
        output, hidden = rnn(inputs[i:i + 1], hidden)
        loss = loss + criterion(output, targets[i:i + 1])
    loss = loss / inputs.size(0)
    loss.backward(retain_graph=True)  # <- culprit
    for p in rnn.parameters():
        p.data.add_(p.grad.data.clamp(-1, 1), alpha=-learning_rate)
    return loss.item(), hidden  # <- culprit


def sample(rnn, start="t", length=40):
    with torch.no_grad():
        hidden = rnn.init_hidden()
        out = start
        for _ in range(length):
            logp, hidden = rnn(one_hot(out[-1]), hidden)
            out += alphabet[int(torch.multinomial(logp.exp()[0], 1))]
    return out


if __name__ == "__main__":
    torch.manual_seed(4)
    rnn = RNN(n_letters, 48, n_letters)
    letters, wanted = one_hot(TEXT), indices(TEXT)
    started = time.time()
    smooth = None
    hidden = rnn.init_hidden()
    for step in range(80):
        a = step * chunk
        loss, hidden = train_chunk(rnn, hidden, letters[a:a + chunk], wanted[a + 1:a + chunk + 1])  # <- culprit
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        if step % 16 == 0:
            print(f"chunk {step:3d}  nll {smooth:.3f}  {time.time() - started:.1f}s")
    print("sample:", sample(rnn))
