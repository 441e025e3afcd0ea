import torch


class WaveformSet:
    """Traces with a P arrival; label is the arrival's sample index."""

    def __init__(self, events: int, samples: int) -> None:
        self.pick = torch.randint(4, samples - 4, (events,))
        t = torch.arange(samples)
        after = (t[None] >= self.pick[:, None]).float()
        self.trace = (0.1 + after) * torch.randn(events, samples)

    def micro_batches(self, size: int):
        for idx in torch.randperm(len(self.pick)).split(size):
            yield self.trace[idx][:, None], self.pick[idx]
