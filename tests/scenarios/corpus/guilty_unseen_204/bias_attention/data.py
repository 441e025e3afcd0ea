import torch


class SequenceSource:
    def __init__(self, vocab, tags, seed, lengths=(6, 9, 12)):
        self.vocab = vocab
        self.tags = tags
        self.lengths = lengths
        self.gen = torch.Generator().manual_seed(seed)

    def batches(self, steps, size=8):
        for step in range(steps):
            length = self.lengths[step % len(self.lengths)]
            tokens = torch.randint(0, self.vocab, (size, length), generator=self.gen)
            previous = torch.roll(tokens, 1, dims=1)
            yield tokens, (tokens + previous) % self.tags
