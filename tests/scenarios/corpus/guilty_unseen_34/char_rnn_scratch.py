# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | model.hidden | rnn.hidden
# first-bad: 1
# A character level RNN without torch.nn.RNN, following the "from scratch" tutorial.
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

TEXT = ("the quick brown fox jumps over the lazy dog. "
        "pack my box with five dozen liquor jugs. "
        "how vexingly quick daft zebras jump! ") * 12
VOCAB = sorted(set(TEXT))
STOI = {c: i for i, c in enumerate(VOCAB)}
N_HIDDEN = 48
SEQ_LEN = 12
LR = 0.05
PRINT_EVERY = 20


def encode(s):
    return torch.tensor([STOI[c] for c in s], dtype=torch.long)


class ScratchRNN(nn.Module):
    def __init__(self, vocab, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(vocab, hidden_size)
        self.h2h = nn.Linear(hidden_size, hidden_size, bias=False)
        self.h2o = nn.Linear(hidden_size, vocab)
        self.hidden = self.init_hidden()

    def init_hidden(self):
        return torch.zeros(1, self.hidden_size)

    def step(self, x):
        self.hidden = torch.tanh(self.i2h(x) + self.h2h(self.hidden))  # <- culprit
        return self.h2o(self.hidden)

    def forward(self, seq):
        logits = []
        for ch in seq:
            onehot = F.one_hot(ch, len(VOCAB)).float().unsqueeze(0)
            logits.append(self.step(onehot))
        return torch.cat(logits)


def chunks(data, n):
    # consecutive windows so that the state can flow from one to the next
    for start in range(0, len(data) - n - 1, n):
        yield data[start:start + n], data[start + 1:start + n + 1]


def train_on(model, seq, target, lr):
    model.zero_grad()
    out = model(seq)
    loss = F.cross_entropy(out, target)
    loss.backward(retain_graph=True)  # <- culprit
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for p in model.parameters():
        p.data.add_(p.grad.data, alpha=-lr)
    return loss.item()


def time_since(since):
    s = time.time() - since
    m = math.floor(s / 60)
    return "%dm %.1fs" % (m, s - m * 60)


def sample(model, start="t", n=30):
    with torch.no_grad():
        out = start
        ch = encode(start)
        for _ in range(n):
            p = F.softmax(model(ch)[-1], dim=0)
            ch = torch.multinomial(p, 1)
            out += VOCAB[ch.item()]
    return out


if __name__ == "__main__":
    torch.manual_seed(0)
    data = encode(TEXT)
    rnn = ScratchRNN(len(VOCAB), N_HIDDEN)
    start = time.time()
    current, all_losses = 0.0, []
    for it, (seq, target) in enumerate(chunks(data, SEQ_LEN), 1):
        current += train_on(rnn, seq, target, LR)
        if it % PRINT_EVERY == 0:
            all_losses.append(current / PRINT_EVERY)
            print("%4d (%s) %.4f" % (it, time_since(start), current / PRINT_EVERY))
            current = 0.0
        if it == 80:
            break
    print(sample(rnn))
