import torch


class CandidateIndex:
    """Hard negatives from item vectors of the epoch's start; emptied when the epoch ends."""

    def __init__(self, model):
        self.model = model
        self._rows = {}
        self.hits = 0
        self.misses = 0

    @torch.no_grad()
    def vector(self, item):
        if item in self._rows:
            self.hits += 1
            return self._rows[item]
        self.misses += 1
        row = self.model.embed_items(torch.tensor([item]))[0]
        self._rows[item] = row
        return row

    def hardest(self, users, pool):
        table = torch.stack([self.vector(i) for i in pool])
        scores = users.detach() @ table.t()
        return torch.tensor(pool)[scores.argmax(1)], table

    def clear(self):
        self._rows.clear()
