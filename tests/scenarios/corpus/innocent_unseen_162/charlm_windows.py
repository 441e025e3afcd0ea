# gradwatch-corpus: kind=none
"""Character model on a synthetic stream; every time step is backpropagated by itself inside a window of uneven width."""
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(11)
rng = random.Random(11)

VOCAB = 16
BATCH = 8


class GatedCell(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.LSTMCell(width, width)
        self.head = nn.Linear(width, vocab)
        self.state = None
        self.age = 0
        self.horizon = 0

    def open_window(self, horizon):
        self.age = 0
        self.horizon = horizon

    def forward(self, tokens):
        if self.state is None:
            zeros = torch.zeros(tokens.size(0), self.cell.hidden_size)
            self.state = (zeros, zeros)
        h, c = self.state
        if self.age == 0:
            h, c = h.detach(), c.detach()
        self.state = self.cell(self.embed(tokens), (h, c))
        self.age += 1
        return self.head(self.state[0])

    @property
    def last_of_window(self):
        return self.age >= self.horizon


def stream(steps):
    table = torch.randint(0, VOCAB, (VOCAB, 3))
    tok = torch.randint(0, VOCAB, (BATCH,))
    for _ in range(steps):
        nxt = table[tok, torch.randint(0, 3, (BATCH,))]
        yield tok, nxt
        tok = nxt


model = GatedCell(VOCAB, 32)
optim = torch.optim.Adam(model.parameters(), lr=4e-3)
optim.zero_grad()
model.open_window(4)
window = 0
running = 0.0

for step, (x, y) in enumerate(stream(900)):
    logits = model(x)
    loss = F.cross_entropy(logits, y) / model.horizon
    loss.backward(retain_graph=not model.last_of_window)
    running = 0.98 * running + 0.02 * loss.item() * model.horizon
    if model.last_of_window:
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        optim.zero_grad()
        window += 1
        model.open_window(rng.randint(3, 11))
        if window % 20 == 0:
            print(f"window {window:4d} step {step:5d} loss {running:.3f}")
