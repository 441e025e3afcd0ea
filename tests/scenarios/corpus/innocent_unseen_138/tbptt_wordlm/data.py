import random

import torch

RULES = {"S": ["NP VP ."], "NP": ["the N", "the A N", "a N"], "VP": ["V NP", "V", "V NP and V"],
         "N": ["dog", "cat", "king", "tree"], "A": ["old", "red"], "V": ["sees", "likes", "eats"]}


class Grammar:
    def __init__(self, n_tokens, seed=5):
        rng = random.Random(seed)
        toks = []
        while len(toks) < n_tokens:
            toks += self.expand("S", rng)
        self.words = sorted(set(toks))
        ids = torch.tensor([self.words.index(w) for w in toks[:n_tokens]])
        cut = int(0.9 * n_tokens)
        self.train, self.valid = ids[:cut], ids[cut:]

    def expand(self, sym, rng):
        if sym not in RULES:
            return [sym]
        return [w for part in rng.choice(RULES[sym]).split() for w in self.expand(part, rng)]


def batchify(ids, bsz):
    n = ids.size(0) // bsz
    return ids[: n * bsz].view(bsz, -1).t().contiguous()


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].view(-1)
