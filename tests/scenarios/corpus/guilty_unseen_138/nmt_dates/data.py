import random

import torch

MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
SRC = sorted(set("".join(MONTHS) + "0123456789 _"))
TGT = sorted(set("0123456789-^"))
S = {c: i for i, c in enumerate(SRC)}
T = {c: i for i, c in enumerate(TGT)}


class DateBatches:
    def __init__(self, batch_size, seed):
        self.n = batch_size
        self.rng = random.Random(seed)

    def _pair(self):
        d, m, y = self.rng.randint(1, 28), self.rng.randint(1, 12), self.rng.randint(10, 29)
        src = f"{d} {MONTHS[m - 1]} {y}".ljust(9, "_")
        return [S[c] for c in src], [T[c] for c in f"^{y:02d}-{m:02d}-{d:02d}"]

    def take(self, steps):
        for _ in range(steps):
            pairs = [self._pair() for _ in range(self.n)]
            tgt = torch.tensor([p[1] for p in pairs])
            yield torch.tensor([p[0] for p in pairs]), tgt[:, :-1], tgt[:, 1:]
