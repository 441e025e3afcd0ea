import torch


class Conversations:
    """Several conversations side by side; an act depends on the act before it."""

    def __init__(self, lanes, seed, vocab=60, acts=6):
        self.gen = torch.Generator().manual_seed(seed)
        self.vocab, self.acts, self.lanes = vocab, acts, lanes
        self.follow = torch.softmax(2 * torch.randn(acts, acts, generator=self.gen), dim=1)
        self.topic = torch.softmax(1.5 * torch.randn(acts, vocab, generator=self.gen), dim=1)
        self.act = torch.zeros(lanes, dtype=torch.long)

    def next_turn(self, length=10):
        self.act = torch.multinomial(self.follow[self.act], 1, generator=self.gen).squeeze(1)
        tokens = torch.multinomial(self.topic[self.act], length, replacement=True, generator=self.gen)
        words = torch.zeros(self.lanes, self.vocab).scatter_add_(1, tokens, torch.ones(tokens.shape))
        return words / length, self.act.clone()
