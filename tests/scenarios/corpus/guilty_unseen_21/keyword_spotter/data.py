import torch


class FilterbankStream:
    """Endless batches of log-mel-like patches; every word has its own template."""

    def __init__(self, batch_size, n_mels, frames, n_words, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.templates = torch.randn(n_words, n_mels, frames, generator=self.gen)
        self.batch_size = batch_size

    def __iter__(self):
        while True:
            words = torch.randint(len(self.templates), (self.batch_size,), generator=self.gen)
            clean = self.templates[words]
            shift = int(torch.randint(-4, 5, (1,), generator=self.gen))
            noisy = clean.roll(shift, dims=-1)
            noisy = noisy + 0.8 * torch.randn(noisy.shape, generator=self.gen)
            yield noisy, words
