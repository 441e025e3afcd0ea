import torch


class UtteranceStream:
    """Token ids with labels that are linear in hidden token vectors."""

    def __init__(self, vocab, length, layers, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.vocab, self.length = vocab, length
        self.scores = {name: torch.randn(vocab, n, generator=self.rng) for name, n in layers.items()}

    def batch(self, n=32):
        ids = torch.randint(self.vocab, (n, self.length), generator=self.rng)
        labels = {name: table[ids].mean(1).argmax(-1) for name, table in self.scores.items()}
        return ids, labels
