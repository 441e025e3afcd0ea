import torch


class TaskFamily:
    def __init__(self, ways, shots, queries):
        self.ways, self.shots, self.queries = ways, shots, queries

    def draw(self):
        turn = torch.rand(()) * 6.28
        per = self.shots + self.queries
        y = torch.arange(self.ways).repeat_interleave(per)
        ang = turn + y.float() * 6.28 / self.ways
        x = torch.stack([ang.cos(), ang.sin()], 1) + 0.3 * torch.randn(len(y), 2)
        is_support = (torch.arange(len(y)) % per) < self.shots
        return x[is_support], y[is_support], x[~is_support], y[~is_support]
