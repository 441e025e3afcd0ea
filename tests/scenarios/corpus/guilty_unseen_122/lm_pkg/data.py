import torch


class MarkovCorpus:
    """Samples one long stream from a random first-order Markov chain."""

    def __init__(self, vocab, length, block):
        trans = torch.softmax(2.5 * torch.randn(vocab, vocab), dim=-1)
        toks = [0]
        for _ in range(length - 1):
            toks.append(int(torch.multinomial(trans[toks[-1]], 1)))
        self.stream = torch.tensor(toks)
        self.block = block

    def sample(self, batch_size):
        starts = torch.randint(0, len(self.stream) - self.block - 1, (batch_size,))
        idx = starts[:, None] + torch.arange(self.block + 1)[None]
        chunk = self.stream[idx]
        return chunk[:, :-1], chunk[:, 1:]
