import torch


class KeywordFrames:
    def __init__(self, steps, batch, bands, frames=20, seed=53):
        self.steps, self.batch, self.frames = steps, batch, frames
        self.gen = torch.Generator().manual_seed(seed)
        self.words = torch.randn(5, bands, 1, generator=self.gen)

    def __iter__(self):
        for _ in range(self.steps):
            y = torch.randint(5, (self.batch,), generator=self.gen)
            noise = torch.randn(self.batch, self.words.shape[1], self.frames, generator=self.gen)
            yield self.words[y] + noise, y
