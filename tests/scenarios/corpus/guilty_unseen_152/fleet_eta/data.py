import torch


class TripStream:
    """Endless batches of synthetic delivery legs."""

    def __init__(self, batch_size=32, seed=3):
        self.batch_size = batch_size
        self.gen = torch.Generator().manual_seed(seed)

    def __len__(self):
        return 15

    def __iter__(self):
        for _ in range(len(self)):
            km = torch.rand(self.batch_size, 1, generator=self.gen) * 40
            stops = torch.randint(1, 9, (self.batch_size, 1), generator=self.gen).float()
            hour = torch.rand(self.batch_size, 1, generator=self.gen) * 24
            rush = ((hour - 8).abs() < 1.5).float() + ((hour - 17).abs() < 2).float()
            eta = 1.6 * km * (1 + 0.4 * rush) + 4 * stops
            yield torch.cat([km / 40, stops / 9, (hour / 24 * 6.28).sin(), (hour / 24 * 6.28).cos()], 1), eta / 100
