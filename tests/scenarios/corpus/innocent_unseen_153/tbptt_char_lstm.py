# gradwatch-corpus: kind=none
"""Character LSTM, truncated BPTT: hidden state crosses windows, gradient does not (k1 = 5, k2 = 15)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1)

TEXT = "to be or not to be that is the question whether tis nobler in the mind to suffer " * 30
chars = sorted(set(TEXT))
data = torch.tensor([chars.index(c) for c in TEXT])
BATCH, K1, SEGMENTS = 8, 5, 3


def batchify(d, b):
    n = len(d) // b
    return d[: n * b].view(b, n).t().contiguous()


class CharLSTM(nn.Module):
    def __init__(self, v, e=16, h=32):
        super().__init__()
        self.emb = nn.Embedding(v, e)
        self.lstm = nn.LSTM(e, h)
        self.out = nn.Linear(h, v)

    def forward(self, x, state):
        y, state = self.lstm(self.emb(x), state)
        return self.out(y), state


def repackage(state):
    return tuple(s.detach() for s in state)


model = CharLSTM(len(chars))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
stream = batchify(data, BATCH)
per_epoch = (len(stream) - 1) // (K1 * SEGMENTS)

for epoch in range(5):
    state = (torch.zeros(1, BATCH, 32), torch.zeros(1, BATCH, 32))
    total = 0.0
    for w in range(per_epoch):
        state = repackage(state)
        loss = 0.0
        for s in range(SEGMENTS):
            i = (w * SEGMENTS + s) * K1
            x, y = stream[i:i + K1], stream[i + 1:i + 1 + K1]
            logits, state = model(x, state)
            loss = loss + F.cross_entropy(logits.flatten(0, 1), y.flatten())
        loss = loss / SEGMENTS
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        total += loss.item()
    print(f"epoch {epoch} ppl {torch.tensor(total / per_epoch).exp():.2f} ({per_epoch} windows)")
