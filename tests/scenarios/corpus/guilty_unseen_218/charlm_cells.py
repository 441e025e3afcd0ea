# gradwatch-corpus: kind=second-backward
# holder: state
# first-bad: 1
# Char model with LSTMCells, after Graves (2013). One file, no classes.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)

text = ("the cat sat on the mat and the dog sat on the log while "
        "a rat ran at the hat that the fat cat had ") * 60
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])

B, T, H = 8, 16, 64
cols = len(data) // B
data = data[:B * cols].view(B, cols).t().contiguous()

emb = nn.Embedding(len(chars), 24)
cell1 = nn.LSTMCell(24, H)
cell2 = nn.LSTMCell(H, H)
out = nn.Linear(H, len(chars))
params = [p for m in (emb, cell1, cell2, out) for p in m.parameters()]
optimizer = torch.optim.Adagrad(params, lr=0.02)


def zero_state():
    return [(torch.zeros(B, H), torch.zeros(B, H)) for _ in range(2)]


def repackage(state):
    return [(h.detach(), c) for h, c in state]  # <- culprit


def run(chunk, state):
    s1, s2 = state
    logits = []
    for t in range(chunk.size(0)):
        s1 = cell1(emb(chunk[t]), s1)
        s2 = cell2(s1[0], s2)
        logits.append(out(s2[0]))
    return torch.stack(logits), [s1, s2]


state = zero_state()
pos = 0
smooth = None
for it in range(100):
    if pos + T + 1 >= data.size(0):
        pos = 0
        state = zero_state()
    x, y = data[pos:pos + T], data[pos + 1:pos + T + 1]
    state = repackage(state)  # <- culprit
    logits, state = run(x, state)
    loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())

    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(params, 1.0)
    optimizer.step()

    smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
    pos += T
    if it % 20 == 0:
        print(it, smooth)
