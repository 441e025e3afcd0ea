import random

import torch

TAGS = ["other", "party", "duty", "date"]
PARTIES = ["lessor", "lessee", "buyer", "seller", "agent", "surety"]
DUTIES = ["pay", "deliver", "insure", "notify", "repair", "vacate"]
DATES = ["monday", "january", "2031", "thirty", "days", "quarter"]
FILLER = "the shall of and to within upon hereby any such by notice written premises herein".split()


class ClauseMaker:
    def __init__(self, length, seed):
        self.length = length
        self.rng = random.Random(seed)
        words = PARTIES + DUTIES + DATES + FILLER
        self.vocab = {"<pad>": 0, **{w: i + 1 for i, w in enumerate(words)}}

    def _word(self):
        kind = self.rng.choices(range(4), weights=[6, 2, 2, 1])[0]
        pool = (FILLER, PARTIES, DUTIES, DATES)[kind]
        return self.rng.choice(pool), kind

    def batch(self, n):
        tokens = torch.zeros(n, self.length, dtype=torch.long)
        tags = torch.full((n, self.length), -100)
        for row in range(n):
            for col in range(self.rng.randint(8, self.length)):
                word, kind = self._word()
                if self.rng.random() < 0.03:
                    word = self.rng.choice(FILLER)
                tokens[row, col] = self.vocab[word]
                tags[row, col] = kind
        return tokens, tags
