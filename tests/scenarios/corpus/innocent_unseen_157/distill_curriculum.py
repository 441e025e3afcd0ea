# gradwatch-corpus: kind=none
"""Distillation with cached teacher answers and a curriculum list that fills up and then stays."""
from functools import lru_cache

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(66)


class WordSet:
    def __init__(self, count=120, length=9, letters=12, classes=4):
        self.words = torch.randint(0, letters, (count, length))
        self.labels = (self.words[:, ::2].sum(1) % classes)

    def __len__(self):
        return len(self.labels)


class Tagger(nn.Module):
    def __init__(self, width, letters=12, classes=4):
        super().__init__()
        self.embed = nn.Embedding(letters, width)
        self.mix = nn.Linear(9 * width, 2 * width)
        self.out = nn.Linear(2 * width, classes)

    def forward(self, words):
        hidden = F.gelu(self.mix(self.embed(words).flatten(1)))
        return self.out(hidden), hidden


class Teacher:
    def __init__(self, data, net):
        self.data, self.net = data, net

    def fit(self, steps=40):
        optimizer = torch.optim.Adam(self.net.parameters(), lr=1e-2)
        for _ in range(steps):
            loss = F.cross_entropy(self.net(self.data.words)[0], self.data.labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self.net.eval().requires_grad_(False)
        return loss.item()

    @lru_cache(maxsize=None)
    def answer(self, row):
        logits, hidden = self.net(self.data.words[row:row + 1])
        return logits[0], hidden[0]


class Curriculum:
    """Rows enter from the easiest on, a few with each call, until all are in."""

    def __init__(self, order, grow=4):
        self.waiting = list(order)
        self.rows = []
        self.anchors = {}
        self.grow = grow

    def advance(self, embed):
        entering, self.waiting = self.waiting[:self.grow], self.waiting[self.grow:]
        self.rows.extend(entering)
        for row in entering:
            self.anchors[row] = embed(row)

    def draw(self, count):
        return [self.rows[i] for i in torch.randint(len(self.rows), (count,)).tolist()]


def main(steps=110, heat=2.0):
    data = WordSet()
    teacher = Teacher(data, Tagger(16))
    print(f"teacher's loss {teacher.fit():.4f}")
    student, bridge = Tagger(6), nn.Linear(12, 32)
    optimizer = torch.optim.AdamW([*student.parameters(), *bridge.parameters()], lr=8e-3)

    @torch.no_grad()
    def first_guess(row):
        return student(data.words[row:row + 1])[0][0].softmax(0)

    sure = torch.stack([teacher.answer(row)[0].softmax(0).max() for row in range(len(data))])
    curriculum = Curriculum(sure.argsort(descending=True).tolist())
    for step in range(steps):
        curriculum.advance(first_guess)
        rows = curriculum.draw(16)
        logits, hidden = student(data.words[rows])
        soft, inner = (torch.stack(part) for part in zip(*(teacher.answer(r) for r in rows)))
        start = torch.stack([curriculum.anchors[r] for r in rows])
        loss = F.kl_div(F.log_softmax(logits / heat, 1), F.softmax(soft / heat, 1), reduction="batchmean") * heat ** 2
        loss = loss + 0.1 * F.mse_loss(bridge(hidden), inner) + 0.01 * (logits.softmax(1) - start).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 22 == 21:
            print(f"step {step + 1} loss {loss.item():.4f} rows {len(curriculum.rows)} {teacher.answer.cache_info()}")


if __name__ == "__main__":
    main()
