import torch


class SpeechStream:
    """Endless utterances: formant-like frames for a Markov chain of phones."""

    def __init__(self, n_phones=8, n_mel=20, lanes=6, seed=2):
        self.g = torch.Generator().manual_seed(seed)
        self.n_phones, self.n_mel, self.lanes = n_phones, n_mel, lanes
        self.proto = torch.randn(n_phones, n_mel, generator=self.g)
        self.current = torch.randint(0, n_phones, (lanes,), generator=self.g)

    def next_chunk(self, length=15):
        xs, ys = [], []
        for _ in range(length):
            flip = torch.rand(self.lanes, generator=self.g) < 0.25
            new = torch.randint(0, self.n_phones, (self.lanes,), generator=self.g)
            self.current = torch.where(flip, new, self.current)
            noise = 0.6 * torch.randn(self.lanes, self.n_mel, generator=self.g)
            xs.append(self.proto[self.current] + noise)
            ys.append(self.current)
        return torch.stack(xs, 1), torch.stack(ys, 1)
