# gradwatch-corpus: kind=second-backward
# holder: self._rows | self._rows[task] | rows | labels._rows | self.labels._rows | self.labels._rows[task] | model.labels._rows | model.labels._rows[task] | self.model.labels._rows | trainer.model.labels._rows | model.labels._rows["travel"]
# first-bad: 2
# notice: 60
import random

import torch
from torch import nn

from data import TASKS, make_utterances
from labels import LabelSpace

MICRO = 2
UPDATES = 80


class IntentModel(nn.Module):
    def __init__(self, vocab, dim, phrases):
        super().__init__()
        self.words = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.encoder = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
        self.labels = LabelSpace(self.encode, phrases)

    def encode(self, tokens):
        return self.encoder(self.words(tokens))

    def forward(self, task, tokens):
        return self.encode(tokens) @ self.labels.matrix(task).t() * 3.0  # <- culprit


class Accumulator:
    """Steps after every MICRO micro-batches; skips those that fail."""

    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.opt.register_step_post_hook(lambda *_: model.labels.invalidate())  # <- culprit
        self.skipped = 0

    def micro(self, task, tokens, gold):
        loss = nn.functional.cross_entropy(self.model(task, tokens), gold)
        try:
            (loss / MICRO).backward()
        except RuntimeError as problem:
            self.skipped += 1
            if self.skipped <= 3:
                print("micro-batch skipped:", str(problem).split("(")[0])
        return loss.item()

    def update(self, micro_batches):
        self.opt.zero_grad()
        total = sum(self.micro(*m) for m in micro_batches)
        self.opt.step()
        return total / MICRO


def main():
    torch.manual_seed(16)
    rng = random.Random(5)
    phrases, draw = make_utterances(vocab=120)
    model = IntentModel(120, 24, phrases)
    trainer = Accumulator(model, lr=5e-3)
    smooth = None
    for n in range(UPDATES):
        picked = [rng.choice(TASKS) for _ in range(MICRO)]
        loss = trainer.update([(task, *draw(task, 24)) for task in picked])
        smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
        if n % 20 == 19:
            print(f"update {n + 1}: loss {smooth:.4f}, skipped {trainer.skipped}")


if __name__ == "__main__":
    main()
