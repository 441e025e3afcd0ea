import random

import torch

WORDS = "get put ok fail retry node disk net user admin cache 200 404 500 : / - ".split()
CHARS = sorted(set("".join(WORDS) + " \n"))


class LogText:
    def __init__(self, rows, chunk, seed):
        self.rows, self.chunk = rows, chunk
        self.rnd = random.Random(seed)

    @staticmethod
    def size():
        return len(CHARS)

    def line(self):
        return " ".join(self.rnd.choice(WORDS) for _ in range(self.rnd.randint(3, 7))) + "\n"

    def __iter__(self):
        idx = {c: i for i, c in enumerate(CHARS)}
        tails = [""] * self.rows
        while True:
            grid = []
            for r in range(self.rows):
                while len(tails[r]) < self.chunk + 1:
                    tails[r] += self.line()
                grid.append([idx[c] for c in tails[r][: self.chunk + 1]])
                tails[r] = tails[r][self.chunk:]
            t = torch.tensor(grid)
            yield t[:, :-1], t[:, 1:]
