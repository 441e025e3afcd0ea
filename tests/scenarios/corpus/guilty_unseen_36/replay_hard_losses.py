# gradwatch-corpus: kind=second-backward
# holder: self.kept | book.kept | losses
# first-bad: 25
# also: graph-held
"""Text-like retrieval with in-batch negatives; every so often the worst batches count again."""
from collections import namedtuple
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

Item = namedtuple("Item", "value step loss")


class HardBook:
    """Remembers the batches with the highest loss since the last replay."""

    def __init__(self, size=3):
        self.size = size
        self.kept = []

    def add(self, step, loss):
        self.kept.append(Item(loss.item(), step, loss))  # <- culprit
        self.kept = sorted(self.kept, key=lambda it: it.value)[-self.size:]

    def replay(self):
        losses, self.kept = [it.loss for it in self.kept], []
        return torch.stack(losses).mean()  # <- culprit


class TwoTower(nn.Module):
    def __init__(self, vocab=200, dim=16):
        super().__init__()
        self.tokens = nn.EmbeddingBag(vocab, dim)
        self.query = nn.Linear(dim, dim)
        self.doc = nn.Linear(dim, dim)

    def forward(self, q, d):
        q = F.normalize(self.query(self.tokens(q)), dim=1)
        d = F.normalize(self.doc(self.tokens(d)), dim=1)
        return q @ d.t() / 0.1


def draw_pairs(batch, vocab, gen):
    topic = torch.randint(0, vocab // 10, (batch, 1), generator=gen)
    pick = partial(torch.randint, 0, 10, generator=gen)
    return topic * 10 + pick((batch, 4)), topic * 10 + pick((batch, 12))


def fit(model, steps, replay_every, gen):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    book = HardBook()
    for step in range(steps):
        q, d = draw_pairs(24, 200, gen)
        logits = model(q, d)
        loss = F.cross_entropy(logits, torch.arange(len(q)))
        if step and step % replay_every == 0:
            total = loss + 0.5 * book.replay()
            print(f"step {step}: replaying hard batches, loss {loss.item():.3f}")
        else:
            total = loss
            book.add(step, loss)  # <- culprit
        opt.zero_grad()
        total.backward()  # <- culprit
        opt.step()
        if step % 10 == 0:
            hit = (logits.argmax(1) == torch.arange(len(q))).float().mean().item()
            print(f"step {step}: ce {loss.item():.3f} recall@1 {hit:.2f}")


if __name__ == "__main__":
    torch.manual_seed(21)
    fit(TwoTower(), steps=150, replay_every=25, gen=torch.Generator().manual_seed(21))
