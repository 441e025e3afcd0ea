# gradwatch-corpus: kind=none
import functools
import random

import torch
from torch import nn

torch.set_num_threads(1)


def memo_per_step(fn):
    name = "_memo_" + fn.__name__

    @functools.wraps(fn)
    def inner(self, key):
        table = self.__dict__.setdefault(name, {})
        if key not in table:
            table[key] = fn(self, key)
        return table[key]

    return inner


class TreeScorer(nn.Module):
    """Scores nested words; shared sub-words are composed once for each batch."""

    def __init__(self, letters="abc", width=8):
        super().__init__()
        self.letters = letters
        self.leaf = nn.Embedding(len(letters), width)
        self.join = nn.Linear(2 * width, width)
        self.vote = nn.Linear(width, 1)

    @memo_per_step
    def compose(self, word):
        if len(word) == 1:
            return self.leaf.weight[self.letters.index(word)]
        cut = len(word) // 2
        return torch.tanh(self.join(torch.cat([self.compose(word[:cut]), self.compose(word[cut:])])))

    def forward(self, words):
        return self.vote(torch.stack([self.compose(w) for w in words])).squeeze(-1)

    def flush(self, *_):
        for k in [k for k in self.__dict__ if k.startswith("_memo_")]:
            self.__dict__[k].clear()


def language(rng, n=8):
    words = ["".join(rng.choice("abc") for _ in range(rng.choice((2, 4)))) for _ in range(n)]
    return words, torch.tensor([float(w.count("a") > w.count("b")) for w in words])


def main():
    torch.manual_seed(21)
    rng = random.Random(21)
    net = TreeScorer()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    opt.register_step_post_hook(net.flush)
    right = 0
    for _ in range(700):
        words, y = language(rng)
        logit = net(words)
        right += ((logit > 0).float() == y).sum().item()
        loss = nn.functional.binary_cross_entropy_with_logits(logit, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(right / (700 * 8))


if __name__ == "__main__":
    main()
