# gradwatch-corpus: kind=second-backward
# holder: weaver.groove | self.groove
# first-bad: 24
"""Procedural music: an LSTM learns little pentatonic tunes. Warm-up on separate bars, then on a running tune."""
import random

import torch
import torch.nn as nn

torch.manual_seed(440)
random.seed(440)

SCALE = [0, 2, 4, 7, 9]
N_NOTES = 16
REST = 15
BAR = 12
VOICES = 6


class TuneBook:
    def __init__(self, voices, bars):
        self.voices = [self.compose(bars * BAR + 1) for _ in range(voices)]
        self.cursor = 0

    def compose(self, length):
        tune = []
        degree = random.randrange(5)
        for beat in range(length):
            if beat % 6 == 5:
                tune.append(REST)
                continue
            degree = max(0, min(14, degree + random.choice([-1, -1, 0, 1, 1, 2, -2])))
            tune.append(degree)
        return tune

    def random_bar(self):
        start = random.randrange(0, len(self.voices[0]) - BAR - 1)
        return self.cut(start)

    def next_bar(self):
        bar = self.cut(self.cursor)
        self.cursor += BAR
        if self.cursor + BAR + 1 > len(self.voices[0]):
            self.cursor = 0
        return bar

    def cut(self, start):
        rows = torch.tensor([v[start : start + BAR + 1] for v in self.voices])
        return rows[:, :-1], rows[:, 1:]


class Weaver(nn.Module):
    def __init__(self, width=36):
        super().__init__()
        self.width = width
        self.note_table = nn.Embedding(N_NOTES, 12)
        self.lstm = nn.LSTM(12, width, batch_first=True)
        self.head = nn.Linear(width, N_NOTES)
        self.groove = None
        self.keep_groove = False

    def forward(self, notes):
        start = self.groove if self.keep_groove else None  # <- culprit
        out, state = self.lstm(self.note_table(notes), start)
        self.groove = state  # <- culprit
        return self.head(out)

    def hum(self, length=12):
        with torch.no_grad():
            note = torch.tensor([[0]])
            state = None
            tune = []
            for _ in range(length):
                out, state = self.lstm(self.note_table(note), state)
                p = torch.softmax(self.head(out[0, -1]), dim=0)
                note = torch.multinomial(p, 1).view(1, 1)
                tune.append(int(note))
        return tune


def pitch(n):
    return "--" if n == REST else str(48 + 12 * (n // 5) + SCALE[n % 5])


book = TuneBook(VOICES, bars=40)
weaver = Weaver()
opt = torch.optim.RMSprop(weaver.parameters(), lr=3e-3)
ce = nn.CrossEntropyLoss()

plan = [("loose bars", 23, book.random_bar, False), ("running tune", 100, book.next_bar, True)]
done = 0
for title, bars, source, keep in plan:
    weaver.keep_groove = keep
    if keep:
        weaver.groove = None
    total = 0.0
    for _ in range(bars):
        notes, following = source()
        logits = weaver(notes)
        loss = ce(logits.reshape(-1, N_NOTES), following.reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        done += 1
    print(title, "mean loss %.3f" % (total / bars), "hum:", " ".join(pitch(n) for n in weaver.hum()))
