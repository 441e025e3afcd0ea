import torch


class FilterbankStream:
    def __init__(self, mels, frames, batch, classes):
        g = torch.Generator().manual_seed(17)
        self.proto = torch.randn(classes, mels, frames, generator=g)
        self.batch, self.g = batch, g

    def __iter__(self):
        k, mels, frames = self.proto.shape
        while True:
            word = torch.randint(0, k, (self.batch,), generator=self.g)
            shift = int(torch.randint(0, 5, (1,), generator=self.g))
            x = self.proto[word].roll(shift, -1)
            yield x + 0.8 * torch.randn(self.batch, mels, frames, generator=self.g), word
