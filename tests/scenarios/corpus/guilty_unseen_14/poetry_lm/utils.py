import torch

VERSE = """
under the hill the river goes, and nobody knows where the river goes.
the miller sleeps, the wheel turns slow, the fields are white with early snow.
a lantern swings beside the gate, the mother sings, the hour is late.
over the bridge the carter rides, and under the bridge the water hides.
the moon looks in, the fire burns low, and deeper and deeper falls the snow.
"""


class Corpus:
    def __init__(self):
        text = VERSE.strip().replace("\n", " ") + " "
        self.chars = sorted(set(text))
        self.stoi = {c: i for i, c in enumerate(self.chars)}
        self.train = torch.tensor(self.encode(text * 12))
        self.valid = torch.tensor(self.encode(text))

    def encode(self, s):
        return [self.stoi[c] for c in s]

    def decode(self, ids):
        return "".join(self.chars[i] for i in ids)

    @staticmethod
    def batchify(data, bsz):
        n = len(data) // bsz
        return data[:n * bsz].view(bsz, n).t().contiguous()


def get_batch(source, i, bptt):
    n = min(bptt, len(source) - 1 - i)
    return source[i:i + n], source[i + 1:i + 1 + n].reshape(-1)


def clip(params, max_norm):
    grads = [p.grad for p in params if p.grad is not None]
    norm = torch.sqrt(sum(g.pow(2).sum() for g in grads)).item()
    if norm > max_norm:
        for g in grads:
            g.mul_(max_norm / norm)
    return norm


class SimpleSGD:
    def __init__(self, params, lr):
        self.params = list(params)
        self.lr = lr

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p in self.params:
            if p.grad is not None:
                p.data.add_(p.grad, alpha=-self.lr)
