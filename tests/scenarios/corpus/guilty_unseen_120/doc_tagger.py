# gradwatch-corpus: kind=second-backward
# holder: self.carry | tagger.carry | model.carry | session.tagger.carry
# first-bad: 61
# notice: 0
import random

import torch
from torch import nn, optim

torch.set_num_threads(1)

VOCAB = 50
TAGS = ["O", "PER", "LOC", "ORG"]
CHUNK = 12


def make_corpus(n_docs, rng):
    """Token ids with a tag that depends on the word and on the word before it."""
    docs = []
    for _ in range(n_docs):
        length = rng.choice([8, 10, 12, 12, 20, 30, 40])
        words = [rng.randrange(1, VOCAB) for _ in range(length)]
        tags = [0] * length
        for i, w in enumerate(words):
            if w % 7 == 0:
                tags[i] = 1 + (words[i - 1] % 3 if i else 0)
        docs.append((words, tags))
    return docs


def chunks(doc):
    words, tags = doc
    for start in range(0, len(words), CHUNK):
        yield (
            start == 0,
            torch.tensor(words[start:start + CHUNK]),
            torch.tensor(tags[start:start + CHUNK]),
        )


class Tagger(nn.Module):
    def __init__(self, dim=12, hidden=16):
        super().__init__()
        self.words = nn.Embedding(VOCAB, dim)
        self.rnn = nn.LSTM(dim, hidden)
        self.drop = nn.Dropout(0.1)
        self.proj = nn.Linear(hidden, len(TAGS))
        self.carry = None

    def begin_document(self):
        self.carry = None

    def forward(self, tokens):
        x = self.words(tokens).unsqueeze(1)
        y, self.carry = self.rnn(x, self.carry)  # <- culprit
        return self.proj(self.drop(y.squeeze(1)))


class Session:
    def __init__(self, tagger, lr=5e-3):
        self.tagger = tagger
        self.opt = optim.Adam(tagger.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss(weight=torch.tensor([0.5, 1.0, 1.0, 1.0]))
        self.updates = 0
        self.tokens = self.right = 0

    def learn(self, tokens, gold):
        scores = self.tagger(tokens)
        loss = self.crit(scores, gold)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        self.tokens += len(gold)
        self.right += (scores.argmax(-1) == gold).sum().item()

    def read(self, doc):
        for first, tokens, gold in chunks(doc):
            if first:
                self.tagger.begin_document()
            self.learn(tokens, gold)


def main():
    rng = random.Random(9)
    torch.manual_seed(9)
    corpus = make_corpus(300, rng)
    short = [d for d in corpus if len(d[0]) <= CHUNK][:60]
    rest = [d for d in corpus if len(d[0]) > CHUNK]
    session = Session(Tagger())
    # curriculum: notes first, then whole articles
    for stage in (short, rest):
        for doc in stage:
            session.read(doc)
        print(f"{session.updates} updates, accuracy {session.right / session.tokens:.3f}")


main()
