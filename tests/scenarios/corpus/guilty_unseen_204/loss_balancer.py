# gradwatch-corpus: kind=graph-chain
# holder: self._level | tracker._level | session.objective.tracker._level
# first-bad: 1
import torch
from torch import nn
from torch.nn import functional as F


class Tracker:
    """Smooths a scalar signal."""

    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self._level = None

    @property
    def level(self):
        return self._level

    def update(self, value):
        if self._level is None:
            self._level = value
        else:
            self._level = self.momentum * self._level + (1 - self.momentum) * value  # <- culprit
        return self._level


class Objective:
    def terms(self, scores, labels):
        raise NotImplementedError

    def __call__(self, scores, labels):
        return self.terms(scores, labels)


class StabilisedObjective(Objective):
    def __init__(self, weight=0.1):
        self.weight = weight
        self.tracker = Tracker()

    def terms(self, scores, labels):
        risk = F.cross_entropy(scores, labels)
        reference = self.tracker.level
        self.tracker.update(risk)
        if reference is None:
            return risk
        return risk + self.weight * (risk - reference).pow(2)


class BagOfWords(nn.Module):
    def __init__(self, vocab=50, classes=4):
        super().__init__()
        self.scores = nn.Linear(vocab, classes)

    def forward(self, counts):
        return self.scores(counts)


class Documents:
    def __init__(self, seed, vocab=50, classes=4, batch=16):
        self.gen = torch.Generator().manual_seed(seed)
        self.topics = torch.softmax(2 * torch.randn(classes, vocab, generator=self.gen), dim=1)
        self.batch = batch

    def draw(self):
        labels = torch.randint(0, len(self.topics), (self.batch,), generator=self.gen)
        words = torch.multinomial(self.topics[labels], 20, replacement=True, generator=self.gen)
        counts = torch.zeros(self.batch, self.topics.shape[1])
        counts.scatter_add_(1, words, torch.ones(words.shape))
        return counts, labels


class Session:
    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.docs = Documents(seed + 1)
        self.model = BagOfWords()
        self.objective = StabilisedObjective()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05)

    def step(self):
        counts, labels = self.docs.draw()
        scores = self.model(counts)
        loss = self.objective(scores, labels)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()


def main():
    session = Session(seed=8)
    for step in range(410):
        value = session.step()
        if step % 100 == 0:
            print(f"{step:4d} {value:.4f}")


if __name__ == "__main__":
    main()
