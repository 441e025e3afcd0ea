import torch

SENTENCE = "the cat sat on the mat and the dog ate the bone by the old red barn. "
CHARS = sorted(set(SENTENCE))
VOCAB = len(CHARS)


class SegmentIterator:
    """Contiguous segments, time first, as in the original repository."""

    def __init__(self, batch, tgt_len, repeat=80):
        ids = torch.tensor([CHARS.index(c) for c in SENTENCE * repeat])
        n = len(ids) // batch
        self.data = ids[:n * batch].view(batch, n).t().contiguous()
        self.tgt_len = tgt_len

    def __iter__(self):
        pos = 0
        while pos + self.tgt_len + 1 <= self.data.size(0):
            yield self.data[pos:pos + self.tgt_len], self.data[pos + 1:pos + 1 + self.tgt_len]
            pos += self.tgt_len
