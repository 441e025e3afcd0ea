# gradwatch-corpus: kind=none
"""Character model of server log lines; reads the log as one long stream, 24 characters at a time."""
import random

import torch
import torch.nn as nn

random.seed(14)
torch.manual_seed(14)

LEVELS = ["INFO", "WARN", "ERROR"]
PARTS = ["auth", "db", "cache", "queue", "http"]
MSGS = ["started", "timeout after %d ms", "retry %d", "connection closed", "user %d logged in"]


def line():
    m = random.choice(MSGS)
    if "%d" in m:
        m = m % random.randrange(1000)
    return f"{random.choice(LEVELS)} {random.choice(PARTS)}: {m}\n"


text = "".join(line() for _ in range(3000))
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([stoi[c] for c in text])

STREAMS, WINDOW = 16, 24
length = len(ids) // STREAMS
grid = ids[:length * STREAMS].view(STREAMS, length)


class LogModel(nn.Module):
    def __init__(self, vocab, width=64):
        super().__init__()
        self.emb = nn.Embedding(vocab, 24)
        self.rnn = nn.LSTM(24, width, batch_first=True)
        self.out = nn.Linear(width, vocab)

    def forward(self, tok, state):
        h, state = self.rnn(self.emb(tok), state)
        return self.out(h), state


def cut(state):
    return None if state is None else tuple(s.detach() for s in state)


@torch.no_grad()
def complete(model, prompt, n=40):
    state, out = None, prompt
    tok = torch.tensor([[stoi[c] for c in prompt]])
    for _ in range(n):
        logits, state = model(tok, state)
        nxt = torch.multinomial(torch.softmax(logits[0, -1] / 0.7, 0), 1)
        out += chars[nxt.item()]
        tok = nxt.view(1, 1)
    return out.split("\n")[0]


model = LogModel(len(chars))
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
state, pos, epoch = None, 0, 0
epoch_bits = 0.0
history = []

for step in range(800):
    if pos + WINDOW + 1 > length:
        history.append(float(epoch_bits) / (length // WINDOW))
        print(f"pass {epoch}: {history[-1]:.3f} nats/char   {complete(model, 'ERROR ')!r}")
        state, pos, epoch, epoch_bits = None, 0, epoch + 1, 0.0
    x = grid[:, pos:pos + WINDOW]
    y = grid[:, pos + 1:pos + WINDOW + 1]
    pos += WINDOW
    state = cut(state)
    logits, state = model(x, state)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    epoch_bits += loss.detach()

print("nats/char by pass:", [round(h, 3) for h in history])
