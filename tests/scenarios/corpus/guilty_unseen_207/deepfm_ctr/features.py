import torch


class CtrLog:
    def __init__(self, fields, batch, seed=59):
        self.fields, self.batch = fields, batch
        self.gen = torch.Generator().manual_seed(seed)
        self.effects = [torch.randn(n, generator=self.gen) for n in fields]

    def __iter__(self):
        while True:
            cols = [torch.randint(n, (self.batch,), generator=self.gen) for n in self.fields]
            score = sum(e[c] for e, c in zip(self.effects, cols)) - 1.0
            click = torch.bernoulli(torch.sigmoid(score), generator=self.gen)
            yield torch.stack(cols, dim=1), click
