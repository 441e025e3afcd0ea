import torch


class SampleStream:
    def __init__(self, batches, size, seed=9):
        self.batches, self.size = batches, size
        self.gen = torch.Generator().manual_seed(seed)
        self.slow = torch.randn(9, generator=self.gen)
        self.weight = torch.randn(7, generator=self.gen)

    def __len__(self):
        return self.batches

    def __iter__(self):
        for _ in range(self.batches):
            bench = torch.randint(9, (self.size,), generator=self.gen)
            x = torch.randn(self.size, 7, generator=self.gen)
            noise = 0.5 * torch.randn(self.size, generator=self.gen)
            yield bench, x, (x @ self.weight + self.slow[bench] + noise > 0).long()
