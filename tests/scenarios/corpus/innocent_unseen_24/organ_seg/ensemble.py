from collections import OrderedDict

import torch


class PredictionRepository:
    def __init__(self, capacity):
        self.capacity = capacity
        self._entries = OrderedDict()

    def get(self, case_id):
        entry = self._entries.get(case_id)
        if entry is not None:
            self._entries.move_to_end(case_id)
        return entry

    def put(self, case_id, value):
        self._entries[case_id] = value
        self._entries.move_to_end(case_id)
        while len(self._entries) > self.capacity:
            self._entries.popitem(last=False)

    def __len__(self):
        return len(self._entries)


class ConsistencyService:
    """Running average of each case's own predictions, used as a soft target."""

    def __init__(self, repo, alpha):
        self.repo, self.alpha = repo, alpha

    def targets(self, ids, shape):
        found = [self.repo.get(i) for i in ids]
        known = torch.tensor([f is not None for f in found]).float()
        return torch.stack([torch.zeros(shape) if f is None else f for f in found]), known

    def update(self, ids, logits):
        probs = logits.detach().sigmoid()
        for case_id, p in zip(ids, probs):
            old = self.repo.get(case_id)
            self.repo.put(case_id, p.clone() if old is None else self.alpha * old + (1 - self.alpha) * p)
