import torch


class SegmentStream:
    """Consecutive segments of a batch of endless documents from a sparse bigram source."""

    def __init__(self, vocab, batch, seg_len):
        self.seg_len = seg_len
        self.table = torch.softmax(3.0 * torch.randn(vocab, vocab), -1)
        self.last = torch.randint(0, vocab, (batch,))

    def __iter__(self):
        while True:
            toks = [self.last]
            for _ in range(self.seg_len):
                toks.append(torch.multinomial(self.table[toks[-1]], 1).squeeze(1))
            self.last = toks[-1]
            seq = torch.stack(toks, 1)
            yield seq[:, :-1], seq[:, 1:]
