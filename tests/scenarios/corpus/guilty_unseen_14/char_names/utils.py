import random
import time


class Vocab:
    bos, eos = 1, 2

    def __init__(self, names):
        chars = sorted(set("".join(names)))
        self.stoi = {c: i + 3 for i, c in enumerate(chars)}
        self.itos = {i: c for c, i in self.stoi.items()}

    def __len__(self):
        return len(self.stoi) + 3

    def encode(self, s):
        return [self.stoi[c] for c in s]

    def decode(self, ids):
        return "".join(self.itos.get(i, "?") for i in ids)


def make_names(n):
    first = ["ober", "unter", "neu", "alt", "gross", "klein", "nieder", "hohen"]
    middle = ["", "wald", "stein", "bach", "brun", "lind", "eich", "rot"]
    last = ["dorf", "hausen", "heim", "feld", "burg", "au", "stadt", "moos"]
    out = [a + b + c for a in first for b in middle for c in last]
    random.shuffle(out)
    return out[:n]


class Progress:
    """A poor man's tqdm: prints smoothed numbers now and then."""

    def __init__(self, total, every=50, smooth=0.95):
        self.total = total
        self.every = every
        self.smooth = smooth
        self.done = 0
        self.stats = {}
        self.t0 = time.time()

    def update(self, n=1, **values):
        self.done += n
        for key, value in values.items():
            if key in self.stats:
                self.stats[key] = self.smooth * self.stats[key] + (1 - self.smooth) * value  # <- culprit
            else:
                self.stats[key] = value  # <- culprit
        if self.done % self.every == 0 or self.done == self.total:
            self.show()

    def show(self):
        width = 20
        fill = int(width * self.done / self.total)
        numbers = "  ".join("%s %.3f" % (k, v.item()) for k, v in self.stats.items())
        rate = self.done / (time.time() - self.t0 + 1e-9)
        print("[%s%s] %d/%d  %s  %.0f it/s" % ("#" * fill, "." * (width - fill), self.done, self.total, numbers, rate))
