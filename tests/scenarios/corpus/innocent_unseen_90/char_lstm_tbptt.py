# gradwatch-corpus: kind=none
"""Character LSTM on a generated 'grammar', truncated BPTT over three segments."""
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(4)
random.seed(4)

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "ran", "far", "off"]
text = " ".join(random.choice(WORDS) for _ in range(9000))
chars = sorted(set(text))
lookup = {c: i for i, c in enumerate(chars)}
ids = torch.tensor([lookup[c] for c in text])


class CharLM(nn.Module):
    def __init__(self, n, dim=20, hid=32):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.rnn = nn.LSTM(dim, hid)
        self.out = nn.Linear(hid, n)

    def forward(self, x, hc):
        y, hc = self.rnn(self.emb(x), hc)
        return self.out(y), hc


def batchify(seq, streams):
    n = len(seq) // streams
    return seq[:n * streams].view(streams, n).t().contiguous()


class Window:
    """Collects segment losses; flushes every `segments` and cuts the state there."""

    def __init__(self, segments):
        self.segments, self.losses = segments, []
        self.state = None

    def add(self, loss, state):
        self.losses.append(loss)
        self.state = state
        return len(self.losses) == self.segments

    def flush(self):
        total = torch.stack(self.losses).mean()
        self.losses = []
        return total

    def cut(self):
        self.state = tuple(s.detach() for s in self.state)


STREAMS, SEG = 16, 4
data = batchify(ids, STREAMS)
model = CharLM(len(chars))
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
window = Window(segments=3)
updates, history = 0, []
for epoch in range(3):
    window.state = (torch.zeros(1, STREAMS, 32), torch.zeros(1, STREAMS, 32))
    for i in range(0, data.size(0) - SEG - 1, SEG):
        x, y = data[i:i + SEG], data[i + 1:i + 1 + SEG]
        logits, hc = model(x, window.state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        if window.add(loss, hc):
            total = window.flush()
            opt.zero_grad()
            total.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            window.cut()
            history.append(float(total))
            updates += 1
            if updates % 60 == 0:
                print(f"update {updates} bpc {history[-1] / 0.6931:.3f}")
    window.losses.clear()
print("updates", updates, "best", min(history))
