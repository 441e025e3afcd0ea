# gradwatch-corpus: kind=graph-held
# holder: board.totals | self.totals | board.totals[tag] | self.totals[tag] | self.totals['ce'] | self.totals['l2']
# first-bad: 1
# notice: 8
"""Headline classifier with a background metrics board."""
import torch

from board import MetricsBoard
from data import headlines
from model import BagClassifier


def penalty(model):
    return 1e-4 * sum(p.pow(2).sum() for p in model.parameters())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(29)
    model = BagClassifier(vocab=300, topics=6)
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.0)
    with MetricsBoard(every=60) as board:
        for step, (words, topic) in enumerate(headlines(steps=300)):
            logits = model(words)
            ce = torch.nn.functional.cross_entropy(logits, topic)
            l2 = penalty(model)
            opt.zero_grad()
            (ce + l2).backward()
            opt.step()
            board.post(step, ce=ce, l2=l2)  # <- culprit
            board.post(step, hits=(logits.argmax(-1) == topic).float().mean())
    print("final", {k: round(v, 4) for k, v in board.averages().items()})


if __name__ == "__main__":
    main()
