# gradwatch-corpus: kind=graph-held
# holder: self.incidents | loop.incidents
# first-bad: 1
"""Intent tagger for short utterances with a guard against odd batches."""
import random

import torch
from torch import nn
import torch.nn.functional as F

VOCAB = 900
INTENTS = 14
MAX_LEN = 24


class SuspiciousBatch(RuntimeError):
    def __init__(self, step, reason):
        super().__init__(f"step {step}: {reason}")
        self.step = step
        self.reason = reason


class UtteranceFeed:
    def __init__(self, seed, batch):
        self.rng = random.Random(seed)
        self.batch = batch

    def _utterance(self, intent):
        n = self.rng.randint(5, MAX_LEN)
        lo = 1 + intent * 50
        words = [self.rng.randint(lo, lo + 90) for _ in range(n)]
        return words + [0] * (MAX_LEN - n)

    def next(self):
        intents = [self.rng.randrange(INTENTS) for _ in range(self.batch)]
        tokens = [self._utterance(i) for i in intents]
        return torch.tensor(tokens), torch.tensor(intents)


class Tagger(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim, padding_idx=0)
        self.conv = nn.Conv1d(dim, dim, 3, padding=1)
        self.out = nn.Linear(dim, INTENTS)

    def forward(self, tokens):
        x = self.emb(tokens).transpose(1, 2)
        x = F.relu(self.conv(x))
        return self.out(x.mean(dim=2))


class Loop:
    def __init__(self, feed, model):
        self.feed = feed
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.9)
        self.incidents = []
        self.spread_limit = 0.25

    def inspect(self, step, logits, per_item):
        ratio = (per_item.std() / per_item.mean()).item()
        top = logits.argmax(dim=1)
        if ratio > self.spread_limit or top.unique().numel() < INTENTS:
            raise SuspiciousBatch(step, f"spread {ratio:.2f}")

    def one(self, step):
        tokens, intents = self.feed.next()
        logits = self.model(tokens)
        per_item = F.cross_entropy(logits, intents, reduction="none")
        loss = per_item.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        try:
            self.inspect(step, logits, per_item)
        except SuspiciousBatch as incident:
            self.incidents.append(incident)  # <- culprit
        return loss.item()

    def run(self, steps):
        return [self.one(step) for step in range(steps)]


def main():
    torch.manual_seed(52)
    loop = Loop(UtteranceFeed(seed=52, batch=48), Tagger())
    losses = loop.run(120)
    print(f"loss {losses[0]:.3f} -> {losses[-1]:.3f}")
    print(f"{len(loop.incidents)} odd batches")
    for incident in loop.incidents[:3]:
        print(" ", incident)


if __name__ == "__main__":
    main()
