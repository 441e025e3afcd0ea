# gradwatch-corpus: kind=second-backward
# holder: self.label_bank | model.label_bank | self.__dict__["label_bank"] | model.__dict__["label_bank"]
# first-bad: 1
"""Intent routing for the support inbox: utterances are matched against the wording of the intents,
so that a new intent needs a description and no new head."""
import random
from dataclasses import dataclass, field
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import nn

INTENTS = {
    "cancel": "stop end cancel my contract subscription",
    "invoice": "bill invoice charge payment amount wrong",
    "outage": "internet down outage no connection line",
    "move": "moving new address house relocate",
    "upgrade": "faster upgrade more speed bigger plan",
}
FILLERS = "hello please i want to the a can you help with today thanks and it is".split()


class Vocabulary:
    def __init__(self, sentences):
        words = sorted({w for s in sentences for w in s.split()})
        self.index = {w: i + 1 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 1

    def encode(self, sentences, width):
        rows = []
        for s in sentences:
            ids = [self.index.get(w, 0) for w in s.split()][:width]
            rows.append(ids + [0] * (width - len(ids)))
        return torch.tensor(rows)


@dataclass
class Batch:
    tokens: torch.Tensor
    intent: torch.Tensor


@dataclass
class Inbox:
    vocabulary: Vocabulary
    size: int = 24
    width: int = 10
    rng: random.Random = field(default_factory=lambda: random.Random(77))

    def __iter__(self):
        names = list(INTENTS)
        while True:
            picks = [self.rng.randrange(len(names)) for _ in range(self.size)]
            texts = [self._write(INTENTS[names[k]].split()) for k in picks]
            yield Batch(self.vocabulary.encode(texts, self.width), torch.tensor(picks))

    def _write(self, content):
        words = self.rng.sample(content, 2) + self.rng.sample(FILLERS, 5)
        self.rng.shuffle(words)
        return " ".join(words)


class SentenceEncoder(nn.Module):
    def __init__(self, vocab_size, dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, dim, padding_idx=0)
        self.gate = nn.Linear(dim, 1)
        self.project = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, dim))

    def forward(self, tokens):
        e = self.embed(tokens)
        score = self.gate(e).squeeze(-1).masked_fill(tokens == 0, -1e4)
        pooled = (score.softmax(-1).unsqueeze(-1) * e).sum(1)
        return F.normalize(self.project(pooled), dim=-1)


class IntentMatcher(nn.Module):
    def __init__(self, vocabulary, descriptions, width=10):
        super().__init__()
        self.encoder = SentenceEncoder(len(vocabulary))
        self.log_scale = nn.Parameter(torch.tensor(2.0))
        self.register_buffer("description_ids", vocabulary.encode(descriptions, width))

    @cached_property  # <- culprit
    def label_bank(self):
        """Encoded descriptions, one row an intent; they are the same for every batch."""
        return self.encoder(self.description_ids)  # <- culprit

    def forward(self, tokens):
        text = self.encoder(tokens)
        return self.log_scale.exp() * text @ self.label_bank.T


def accuracy(logits, intent):
    return (logits.argmax(-1) == intent).float().mean().item()


def train(steps=300):
    torch.manual_seed(0)
    descriptions = list(INTENTS.values())
    vocabulary = Vocabulary(descriptions + [" ".join(FILLERS)])
    model = IntentMatcher(vocabulary, descriptions)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)

    for step, batch in zip(range(steps), Inbox(vocabulary)):
        logits = model(batch.tokens)
        loss = F.cross_entropy(logits, batch.intent, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"{step:4d} loss {loss.item():.3f} acc {accuracy(logits, batch.intent):.2f}")
    return model


if __name__ == "__main__":
    train()
