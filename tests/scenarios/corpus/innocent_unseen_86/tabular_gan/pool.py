import torch


class FakePool:
    """Mixes fresh fakes with rows generated earlier (Shrivastava et al.)."""

    def __init__(self, size):
        self.size = size
        self.rows = None

    def mix(self, fresh):
        fresh = fresh.detach()
        if self.rows is None:
            self.rows = fresh.clone()
            return fresh
        half = len(fresh) // 2
        pick = torch.randint(len(self.rows), (half,))
        out = torch.cat([fresh[:half], self.rows[pick]])
        self.rows = torch.cat([self.rows, fresh])[-self.size:]
        return out
