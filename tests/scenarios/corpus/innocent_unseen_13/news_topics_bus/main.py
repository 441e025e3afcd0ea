# gradwatch-corpus: kind=none
"""News topic tagging from bags of words. Losses are posted on a bus, an accumulator picks them up and updates."""
import torch
import torch.nn.functional as F
from torch import nn

from accumulate import LossAccumulator
from messages import Bus

TOPICS = 6
VOCAB = 400


class BagTagger(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(VOCAB, dim, mode="mean")
        self.hidden = nn.Linear(dim, dim)
        self.topics = nn.Linear(dim, TOPICS)
        self.language = nn.Linear(dim, 2)

    def forward(self, tokens):
        h = torch.tanh(self.hidden(self.bag(tokens)))
        return self.topics(h), self.language(h)


class Newsroom:
    def __init__(self, seed=55):
        self.g = torch.Generator().manual_seed(seed)
        self.vocab_of = torch.rand(TOPICS, VOCAB, generator=self.g).pow(6)

    def articles(self, n=12, words=30):
        topic = torch.randint(TOPICS, (n,), generator=self.g)
        tokens = torch.multinomial(self.vocab_of[topic], words, replacement=True, generator=self.g)
        return tokens, topic, tokens.sum(1) % 2


class Desk:
    """Reads one bundle of articles and posts its losses."""

    def __init__(self, bus, model, room):
        self.bus, self.model, self.room = bus, model, room
        self.hits = self.seen = 0

    def read(self):
        tokens, topic, language = self.room.articles()
        topic_logits, language_logits = self.model(tokens)
        self.bus.post("loss", task="topic", value=F.cross_entropy(topic_logits, topic))
        self.bus.post("loss", task="language", value=0.1 * F.cross_entropy(language_logits, language))
        self.hits += (topic_logits.argmax(1) == topic).sum().item()
        self.seen += len(topic)

    def accuracy(self):
        acc = self.hits / max(1, self.seen)
        self.hits = self.seen = 0
        return acc


def main(updates=250, bundles=4):
    torch.manual_seed(55)
    bus = Bus(keep=200)
    model = BagTagger()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    desk = Desk(bus, model, Newsroom())
    accumulator = LossAccumulator(bus, opt, every=2 * bundles)

    def announce(number, **_):
        if number % 50 == 0:
            print(f"update {number}: {bus.averages('loss')} accuracy {desk.accuracy():.3f}")

    bus.on("updated", announce)
    while accumulator.updates < updates:
        desk.read()


if __name__ == "__main__":
    main()
