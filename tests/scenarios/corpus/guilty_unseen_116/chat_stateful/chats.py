from typing import NamedTuple

import torch


class Segment(NamedTuple):
    tokens: torch.Tensor
    first: bool


class Curriculum:
    """Yields segments. The first chats are one segment long, the later ones go on for several."""

    phases = ((40, 1), (60, 4), (50, 8))

    def __init__(self, vocab, batch, length, seed):
        self.vocab, self.batch, self.length = vocab, batch, length
        self.gen = torch.Generator().manual_seed(seed)

    def _segment(self):
        start = torch.randint(0, self.vocab, (self.batch, 1), generator=self.gen)
        stride = torch.randint(1, 4, (self.batch, 1), generator=self.gen)
        return (start + stride * torch.arange(self.length + 1)) % self.vocab

    def __iter__(self):
        for chats, segments in self.phases:
            for _ in range(chats):
                for k in range(segments):
                    yield Segment(self._segment(), first=k == 0)
