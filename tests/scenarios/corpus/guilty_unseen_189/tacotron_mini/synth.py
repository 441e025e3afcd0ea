import torch


class Corpus:
    """Each symbol 'sounds' as a fixed spectrum lasting two frames."""

    def __init__(self, vocab, n_mels, seed, length=3):
        self.gen = torch.Generator().manual_seed(seed)
        self.vocab, self.length = vocab, length
        self.spectra = torch.randn(vocab, n_mels, generator=self.gen)

    def batch(self, n):
        text = torch.randint(self.vocab, (n, self.length), generator=self.gen)
        mel = self.spectra[text].repeat_interleave(2, 1)
        return text, mel + 0.05 * torch.randn(mel.shape, generator=self.gen)
