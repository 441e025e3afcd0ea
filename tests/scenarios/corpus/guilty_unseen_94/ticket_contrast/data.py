import torch


class TicketMaker:
    def __init__(self, vocab, topics, length=10):
        self.vocab, self.topics, self.length = vocab, topics, length
        self.block = vocab // topics

    def _words(self, label):
        n = label.numel()
        own = label[:, None] * self.block + torch.randint(self.block, (n, self.length))
        noise = torch.randint(self.vocab, (n, self.length))
        return torch.where(torch.rand(n, self.length) < 0.5, own, noise)

    def batch(self, n):
        label = torch.randint(self.topics, (n,))
        return self._words(label), self._words(label), label
