import torch


class RepeatStream:
    """Every row repeats its own random motif for ever."""

    def __init__(self, vocab, batch, seg, period):
        self.motif = torch.randint(0, vocab, (batch, period))
        self.seg, self.period, self.pos = seg, period, 0

    def segment(self):
        cols = (self.pos + torch.arange(self.seg + 1)) % self.period
        self.pos += self.seg
        chunk = self.motif[:, cols]
        return chunk[:, :-1], chunk[:, 1:]
