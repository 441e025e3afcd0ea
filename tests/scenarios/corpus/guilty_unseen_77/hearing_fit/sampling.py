import random


class HardClipSampler:
    """Half of each batch is drawn afresh, half from the clips that were hardest so far."""

    def __init__(self, n_clips, batch, hard_share=0.25, seed=2):
        self.n_clips = n_clips
        self.batch = batch
        self.n_hard = int(batch * hard_share)
        self.rng = random.Random(seed)
        self.difficulty = {}
        self._order = []

    def _fresh(self, n):
        while len(self._order) < n:
            block = list(range(self.n_clips))
            self.rng.shuffle(block)
            self._order.extend(block)
        out, self._order = self._order[:n], self._order[n:]
        return out

    def next_ids(self):
        if len(self.difficulty) < 4 * self.batch:
            return self._fresh(self.batch)
        pool = self.hardest(3 * self.n_hard)
        hard = self.rng.sample(pool, self.n_hard)
        return hard + self._fresh(self.batch - self.n_hard)

    def report(self, ids, per_clip):
        for clip, value in zip(ids, per_clip):
            self.difficulty[clip] = value  # <- culprit

    def hardest(self, k):
        ranked = sorted(self.difficulty, key=lambda c: self.difficulty[c].item(), reverse=True)
        return ranked[:k]
