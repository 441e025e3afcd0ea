import random


class HardnessSampler:
    """Mixes fresh molecules with the ones the model got most wrong when last seen."""

    def __init__(self, data, batch, hard_fraction, seed=0):
        self.data, self.batch = data, batch
        self.n_hard = int(batch * hard_fraction)
        self.last_pred = {}
        self.rng = random.Random(seed)

    def _hardest(self):
        pool = self.rng.sample(sorted(self.last_pred), min(64, len(self.last_pred)))
        gap = {i: abs(self.last_pred[i].item() - self.data.y[i].item()) for i in pool}
        return sorted(gap, key=gap.get, reverse=True)[: self.n_hard]

    def next_ids(self):
        hard = self._hardest()
        fresh = self.rng.sample(range(len(self.data)), self.batch - len(hard))
        return hard + fresh

    def report(self, ids, preds):
        for i, p in zip(ids, preds):
            self.last_pred[i] = p  # <- culprit
