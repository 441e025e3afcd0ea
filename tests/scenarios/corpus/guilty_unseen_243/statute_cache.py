# gradwatch-corpus: kind=second-backward
# holder: self.shelf | self.shelf[number] | clerk.shelf
# first-bad: 6
"""A reader answers questions about statutes; the statute's keys and values come from an encoder with a small shelf."""
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F

CODE = {
    "articles": 30,
    "tokens": 14,
    "lexicon": 70,
    "width": 32,
    "heads": 4,
    "verdicts": 5,
    "shelf": 8,
}


class LawLibrary:
    def __init__(self, code):
        self.code = code
        self.articles = torch.randint(0, code["lexicon"], (code["articles"], code["tokens"]))
        self.rulings = torch.randint(0, code["verdicts"], (code["articles"], code["lexicon"]))

    def docket(self, cases):
        """Yields the article under debate and a handful of one-word questions."""
        for case in range(cases):
            if case % 7 == 6:
                number = (case - 4) % self.code["articles"]
            else:
                number = case % self.code["articles"]
            words = torch.randint(0, self.code["lexicon"], (12,))
            yield number, words, self.rulings[number, words]


class StatuteEncoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.glossary = nn.Embedding(code["lexicon"], code["width"])
        self.order = nn.Parameter(0.02 * torch.randn(code["tokens"], code["width"]))
        self.layer = nn.TransformerEncoderLayer(
            code["width"],
            code["heads"],
            dim_feedforward=64,
            dropout=0.0,
            batch_first=True,
        )
        self.to_key = nn.Linear(code["width"], code["width"])
        self.to_value = nn.Linear(code["width"], code["width"])

    def forward(self, tokens):
        text = self.layer((self.glossary(tokens) + self.order).unsqueeze(0)).squeeze(0)
        return self.to_key(text), self.to_value(text)


class Clerk:
    """Fetches encoded statutes; the least recently asked one leaves the shelf first."""

    def __init__(self, encoder, library, room):
        self.encoder = encoder
        self.library = library
        self.room = room
        self.shelf = OrderedDict()

    def fetch(self, number):
        if number in self.shelf:
            self.shelf.move_to_end(number)
            return self.shelf[number]  # <- culprit
        pages = self.encoder(self.library.articles[number])
        self.shelf[number] = pages  # <- culprit
        if len(self.shelf) > self.room:
            self.shelf.popitem(last=False)
        return pages


class Judge(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.question = nn.Embedding(code["lexicon"], code["width"])
        self.bench = nn.Sequential(nn.Linear(2 * code["width"], 64), nn.ReLU(), nn.Linear(64, code["verdicts"]))

    def forward(self, words, keys, values):
        ask = self.question(words)
        weight = F.softmax(ask @ keys.t() / keys.shape[1] ** 0.5, dim=1)
        return self.bench(torch.cat([ask, weight @ values], dim=1))


def main():
    torch.manual_seed(1804)
    library = LawLibrary(CODE)
    encoder = StatuteEncoder(CODE)
    judge = Judge(CODE)
    clerk = Clerk(encoder, library, CODE["shelf"])
    court = torch.optim.AdamW([*encoder.parameters(), *judge.parameters()], lr=1e-3)
    for case, (number, words, ruling) in enumerate(library.docket(120)):
        keys, values = clerk.fetch(number)
        loss = F.cross_entropy(judge(words, keys, values), ruling)
        court.zero_grad()
        loss.backward()
        court.step()
        if case % 3 == 0:
            print("case", case, "article", number, "loss", round(loss.item(), 3))


if __name__ == "__main__":
    main()
