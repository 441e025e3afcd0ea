import torch


class EventLog:
    def __init__(self, desks, events, seed):
        g = torch.Generator().manual_seed(seed)
        self.desks = desks
        self.src = torch.randint(0, desks, (events,), generator=g)
        self.dst = (self.src + torch.randint(1, 4, (events,), generator=g)) % desks
        self.feat = torch.randn(events, 4, generator=g)
        self.fake = torch.randint(0, desks, (events,), generator=g)

    def chunks(self, size):
        for i in range(0, len(self.src), size):
            s = slice(i, i + size)
            yield self.src[s], self.dst[s], self.fake[s], self.feat[s]
