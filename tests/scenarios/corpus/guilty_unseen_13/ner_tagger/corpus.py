"""Made-up tickets. Every third batch comes from the crowd-sourced half, whose tags are noisier."""
import torch

PAD = 0
TAGS = ("O", "PRODUCT", "ERROR", "PERSON")


class TicketCorpus:
    def __init__(self, vocab=200, length=14, batch=12, seed=17):
        self.vocab, self.length, self.batch = vocab, length, batch
        self.gen = torch.Generator().manual_seed(seed)
        self.tag_of = torch.randint(len(TAGS), (vocab,), generator=self.gen)

    def _make(self, noise):
        tokens = torch.randint(1, self.vocab, (self.batch, self.length), generator=self.gen)
        tags = self.tag_of[tokens].clone()
        wrong = torch.rand(tags.shape, generator=self.gen) < noise
        tags[wrong] = torch.randint(len(TAGS), (int(wrong.sum()),), generator=self.gen)
        lengths = torch.randint(5, self.length + 1, (self.batch, 1), generator=self.gen)
        outside = torch.arange(self.length) >= lengths
        return tokens.masked_fill(outside, PAD), tags.masked_fill(outside, -100)

    def batches(self, n):
        for i in range(n):
            yield self._make(0.5 if i % 3 == 2 else 0.02)

    def held_out(self, n):
        for _ in range(n):
            yield self._make(0.0)
