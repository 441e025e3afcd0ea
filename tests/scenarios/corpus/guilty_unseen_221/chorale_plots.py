# gradwatch-corpus: kind=graph-held
# holder: deferred
# first-bad: 1
# Next-note model on made-up chorales; figures are drawn after training
import random

import torch
import torch.nn as nn

random.seed(2)
torch.manual_seed(2)

SCALE = [0, 2, 4, 5, 7, 9, 11]
NOTES = 36
SEQ = 24
deferred = []


def chorale():
    degree = random.randrange(7)
    octave = random.randrange(3)
    notes = []
    for _ in range(SEQ + 1):
        degree += random.choice([-1, -1, 0, 1, 1, 2, -2])
        if degree < 0:
            degree += 7
            octave = max(octave - 1, 0)
        if degree > 6:
            degree -= 7
            octave = min(octave + 1, 2)
        notes.append(12 * octave + SCALE[degree])
    return notes


class ChoraleLSTM(nn.Module):
    def __init__(self, emb=16, hid=40):
        super().__init__()
        self.emb = nn.Embedding(NOTES, emb)
        self.lstm = nn.LSTM(emb, hid, batch_first=True)
        self.proj = nn.Linear(hid, NOTES)

    def forward(self, x):
        h, _ = self.lstm(self.emb(x))
        return self.proj(h)


def later(func):
    deferred.append(func)


def bar(value, width=30):
    n = int(width * min(value / 4.0, 1.0))
    return "#" * n


def train(model, n_iter):
    opt = torch.optim.RMSprop(model.parameters(), lr=4e-3)
    ce = nn.CrossEntropyLoss(reduction="none")
    for it in range(n_iter):
        songs = torch.tensor([chorale() for _ in range(10)])
        x = songs[:, :-1]
        y = songs[:, 1:]
        logits = model(x)
        per_note = ce(logits.transpose(1, 2), y)
        loss = per_note.mean()

        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()

        later(lambda it=it, curve=per_note.mean(0): (it, curve.tolist()))  # <- culprit
        if it % 25 == 0:
            print("it", it, "loss %.3f" % loss.item())


def draw_all():
    for k, make in enumerate(deferred):
        if k % 30:
            continue
        it, curve = make()
        print("iteration", it)
        for pos in range(0, SEQ, 6):
            print("  pos %2d %s" % (pos, bar(curve[pos])))


net = ChoraleLSTM()
train(net, 100)
draw_all()
