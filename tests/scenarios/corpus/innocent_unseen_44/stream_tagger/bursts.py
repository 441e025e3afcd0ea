import torch


class BurstStream:
    """Yields (chunk, tags, fresh); the chunks of a row follow one another."""

    def __init__(self, rows=8, steps=480, chunk=12, channels=3, seed=0):
        g = torch.Generator().manual_seed(seed)
        on = torch.zeros(rows, steps)
        for r in range(rows):
            for start in torch.randint(steps - 30, (8,), generator=g).tolist():
                on[r, start:start + 25] = 1
        self.x = torch.randn(rows, steps, channels, generator=g) * (1 + on.unsqueeze(-1))
        self.tags, self.chunk = on, chunk

    def __iter__(self):
        for a in range(0, self.tags.size(1), self.chunk):
            b = a + self.chunk
            yield self.x[:, a:b], self.tags[:, a:b], a == 0
