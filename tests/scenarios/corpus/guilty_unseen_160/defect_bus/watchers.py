class RateWatcher:
    def __init__(self, decay=0.95):
        self.decay = decay
        self.value = 0.5
        self.count = 0

    def on_batch(self, step, loss, hits):
        self.count += 1
        self.value = self.decay * self.value + (1 - self.decay) * hits

    def mean(self):
        return self.value


class PatchWatcher:
    """Brightness of one batch's plates, reported together with the epoch."""

    def __init__(self, step, plates):
        self.step = step
        self.plates = plates  # <- culprit
        self.threshold = 1.0

    def summarize(self, epoch, hits):
        bright = (self.plates > self.threshold).mean()
        if self.step % 45 == 0:
            print(f"epoch {epoch} step {self.step} bright {bright:.4f} hits {hits:.3f}")
