# gradwatch-corpus: kind=graph-held
# holder: self.values | self.values[instance] | Batch.difficulty | Batch.__dict__["difficulty"].values | vars(Batch)["difficulty"].values | batch.difficulty | batches[0].difficulty | b.difficulty | Batch.difficulty.values
# first-bad: 1
import weakref

import torch
from torch import nn
from torch.nn import functional as F


class Annotation:
    """A late-added field; entries vanish together with the object they annotate."""

    def __init__(self, default):
        self.default = default
        self.values = weakref.WeakKeyDictionary()

    def __get__(self, instance, owner):
        if instance is None:
            return self
        return self.values.get(instance, self.default)

    def __set__(self, instance, value):
        self.values[instance] = value  # <- culprit


class Batch:
    difficulty = Annotation(default=float("inf"))

    def __init__(self, tokens, labels):
        self.tokens = tokens
        self.labels = labels

    def __len__(self):
        return len(self.labels)


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Dropout(0.1), nn.Linear(dim, classes))

    def forward(self, tokens):
        return self.mlp(self.embed(tokens))


class Curriculum:
    """Hard batches first from the second epoch on."""

    def __init__(self, batches):
        self.batches = batches

    def epoch(self):
        return sorted(self.batches, key=lambda b: float(b.difficulty), reverse=True)

    def rate(self, batch, losses, quantile=0.75):
        batch.difficulty = losses.quantile(quantile)  # <- culprit


def corpus(n_batches, size, vocab, classes, length=12):
    gen = torch.Generator().manual_seed(17)
    lexicon = torch.rand(classes, vocab, generator=gen) ** 4
    out = []
    for _ in range(n_batches):
        labels = torch.randint(classes, (size,), generator=gen)
        tokens = torch.multinomial(lexicon[labels], length, replacement=True, generator=gen)
        out.append(Batch(tokens, labels))
    return out


def train(model, curriculum, epochs, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        seen, total = 0, 0.0
        for batch in curriculum.epoch():
            losses = F.cross_entropy(model(batch.tokens), batch.labels, reduction="none")
            opt.zero_grad()
            losses.mean().backward()
            opt.step()
            curriculum.rate(batch, losses)  # <- culprit
            total += losses.sum().item()
            seen += len(batch)
        hardest = max(float(b.difficulty) for b in curriculum.batches)
        print(f"epoch {epoch}: loss {total / seen:.4f}, hardest batch {hardest:.3f}")


def main():
    torch.manual_seed(2)
    batches = corpus(n_batches=70, size=32, vocab=300, classes=6)
    train(BagClassifier(300, 24, 6), Curriculum(batches), epochs=2, lr=5e-3)


if __name__ == "__main__":
    main()
