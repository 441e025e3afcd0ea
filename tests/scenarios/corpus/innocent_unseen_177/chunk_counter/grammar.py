import torch


class Grammar:
    size = 10

    def __init__(self, seed, lanes):
        self.gen = torch.Generator().manual_seed(seed)
        self.table = torch.rand(self.size, self.size, self.size, generator=self.gen).pow(8)
        self.a = torch.randint(0, self.size, (lanes,), generator=self.gen)
        self.b = torch.randint(0, self.size, (lanes,), generator=self.gen)

    def stream(self, count):
        for _ in range(count):
            nxt = torch.multinomial(self.table[self.a, self.b], 1, generator=self.gen).squeeze(1)
            self.a, self.b = self.b, nxt
            yield self.a, self.b
