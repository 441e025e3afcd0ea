import torch


class Corpus:
    """Token sequences, every token a short band pattern of varying length; recordings come in chunks."""

    def __init__(self, seed, bands=16, vocab=7, batch=8, chunks=5, tokens=4, frames=32):
        self.gen = torch.Generator().manual_seed(seed)
        self.bands, self.vocab = bands, vocab
        self.batch, self.chunks, self.tokens, self.frames = batch, chunks, tokens, frames
        self.patterns = torch.randn(vocab + 1, bands, generator=self.gen)

    def chunk(self, gen, channel):
        labels = torch.randint(1, self.vocab + 1, (self.batch, self.tokens), generator=gen)
        feats = 0.3 * torch.randn(self.frames, self.batch, self.bands, generator=gen)
        for b in range(self.batch):
            at = 1
            for tok in labels[b]:
                span = int(torch.randint(3, 6, (1,), generator=gen))
                feats[at:at + span, b] += self.patterns[tok]
                at += span + 2
        return feats + channel, labels, torch.full((self.batch,), self.tokens, dtype=torch.long)

    def stream(self, n, held_out=False):
        gen = torch.Generator().manual_seed(999) if held_out else self.gen
        for _ in range(n):
            channel = 0.3 * torch.randn(1, self.batch, self.bands, generator=gen)
            yield (self.chunk(gen, channel) for _ in range(self.chunks))
