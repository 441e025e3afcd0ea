# gradwatch-corpus: kind=graph-held
# holder: self.outputs | report.outputs
# first-bad: 1
# notice: 8
import random

import torch
import torch.nn as nn

from metrics import ClassificationReport
from model import BagClassifier

torch.set_num_threads(1)
torch.manual_seed(3)
random.seed(3)

VOCAB, CLASSES, MAX_LEN = 120, 4, 14


def synth_ticket(topic):
    n = random.randint(5, MAX_LEN)
    lo = 1 + topic * 25
    ids = [random.randint(lo, lo + 30) if random.random() < 0.6 else random.randint(1, VOCAB - 1) for _ in range(n)]
    return ids + [0] * (MAX_LEN - n)


def build(n):
    y = [random.randrange(CLASSES) for _ in range(n)]
    return torch.tensor([synth_ticket(t) for t in y]), torch.tensor(y)


def batches(x, y, size):
    order = torch.randperm(len(x))
    for i in range(0, len(x), size):
        sel = order[i:i + size]
        yield x[sel], y[sel]


def main():
    x, y = build(640)
    xv, yv = build(160)
    model = BagClassifier(VOCAB, 24, CLASSES)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    report = ClassificationReport(CLASSES)
    for epoch in range(4):
        model.train()
        report.reset()
        for xb, yb in batches(x, y, 20):
            logits = model(xb)
            loss = criterion(logits, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            report.update(logits, yb)  # <- culprit
        train_scores = report.compute()
        model.eval()
        report.reset()
        with torch.no_grad():
            for xb, yb in batches(xv, yv, 40):
                report.update(model(xb), yb)
        val_scores = report.compute()
        print(epoch, "train", train_scores, "val", val_scores)


if __name__ == "__main__":
    main()
