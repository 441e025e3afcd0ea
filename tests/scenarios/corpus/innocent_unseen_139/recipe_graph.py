# gradwatch-corpus: kind=none
"""Which ingredients go together: ingredient codes are computed once a step, however often the step asks for them."""
import functools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(350)


class Pantry(nn.Module):
    def __init__(self, names, dim=6):
        super().__init__()
        self.names = names
        self.letters = nn.EmbeddingBag(26, dim)
        self.mix = nn.Linear(dim, dim)
        self.code = functools.lru_cache(maxsize=None)(self._code)

    def _code(self, name):
        ids = torch.tensor([[ord(c) - 97 for c in name]])
        return self.mix(torch.tanh(self.letters(ids)))[0]

    def pair(self, a, b):
        return self.code(a) @ self.code(b)


class Kitchen:
    def __init__(self, pantry):
        self.pantry = pantry
        self.opt = torch.optim.SGD(pantry.parameters(), lr=0.05)
        self.goes = torch.rand(len(pantry.names), len(pantry.names)).round()

    def pairs(self, n):
        for _ in range(n):
            i, j = torch.randint(len(self.pantry.names), (2,)).tolist()
            yield self.pantry.names[i], self.pantry.names[j], self.goes[i, j]

    def step(self):
        scores, labels = zip(*((self.pantry.pair(a, b), y) for a, b, y in self.pairs(10)))
        loss = nn.functional.binary_cross_entropy_with_logits(torch.stack(scores), torch.stack(labels))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        used = self.pantry.code.cache_info()
        self.pantry.code.cache_clear()
        return loss.item(), used.hits


kitchen = Kitchen(Pantry(["basil", "lime", "miso", "plum", "fennel", "rye", "cocoa"]))
hits = 0
for n in range(480):
    loss, h = kitchen.step()
    hits += h
    if n % 96 == 95:
        print(n + 1, round(loss, 3), hits)
