class PassageIndex:
    def __init__(self, encoder, passages, warmup, refresh):
        self.encoder, self.passages = encoder, passages
        self.warmup, self.refresh = warmup, refresh
        self._vecs, self._built = None, -1

    def _stale(self, step):
        return step < self.warmup or step - self._built >= self.refresh

    def vectors(self, step):
        if self._vecs is None or self._stale(step):
            self._vecs = self.encoder(self.passages)  # <- culprit
            self._built = step
        return self._vecs
