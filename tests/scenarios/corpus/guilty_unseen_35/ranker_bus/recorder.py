import time


class RunRecorder:
    """Remembers the run, so that curves can be drawn when it is over."""

    def __init__(self):
        self.timeline = []

    def on_batch(self, event):
        self.timeline.append(event)  # <- culprit

    def _of_epoch(self, epoch):
        return [e.output for e in self.timeline if e.epoch == epoch]

    def mean_loss(self, epoch):
        outputs = self._of_epoch(epoch)
        return sum(o.loss.item() for o in outputs) / len(outputs)

    def on_epoch(self, event):
        gains = [o.gain for o in self._of_epoch(event.epoch)]
        print(f"epoch {event.epoch}: loss {self.mean_loss(event.epoch):.4f} gain@1 {sum(gains) / len(gains):.3f}")

    def best_epoch(self):
        return min({e.epoch for e in self.timeline}, key=self.mean_loss)


class EpochTimer:
    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, event):
        now = time.monotonic()
        print(f"         took {now - self.last:.2f}s")
        self.last = now
