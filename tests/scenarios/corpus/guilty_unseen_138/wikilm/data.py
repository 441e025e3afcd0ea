import torch


class Corpus:
    """Order-1 Markov 'text'."""

    def __init__(self, vocab, length):
        self.vocab = vocab
        trans = torch.softmax(2.5 * torch.randn(vocab, vocab), 1)
        ids = [0]
        for _ in range(length - 1):
            ids.append(int(torch.multinomial(trans[ids[-1]], 1)))
        ids = torch.tensor(ids)
        cut = int(0.9 * length)
        self._train, self._valid = ids[:cut], ids[cut:]

    @staticmethod
    def _cols(ids, bsz):
        n = len(ids) // bsz
        return ids[: n * bsz].view(bsz, n).t().contiguous()

    def train(self, bsz):
        return self._cols(self._train, bsz)

    def valid(self, bsz):
        return self._cols(self._valid, bsz)
