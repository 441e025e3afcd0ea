import queue
import threading

import torch
import torch.nn.functional as F

_STOP = object()


class MeanService:
    """Keeps exponentially weighted class means in its own thread."""

    def __init__(self, classes, width, rate=0.1):
        self.classes, self.width, self.rate = classes, width, rate
        self.inbox = queue.Queue(maxsize=64)
        self.latest = None
        self._thread = threading.Thread(target=self._serve, name="means", daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        self.inbox.put(_STOP)
        self._thread.join()

    def submit(self, feats, labels):
        self.inbox.put((feats, labels))

    def drain(self):
        self.inbox.join()

    def _serve(self):
        means = torch.zeros(self.classes, self.width)
        while True:
            item = self.inbox.get()
            if item is _STOP:
                return
            means = self._blend(means, *item)  # <- culprit
            self.latest = means  # <- culprit
            item = None
            self.inbox.task_done()

    def _blend(self, means, feats, labels):
        hot = F.one_hot(labels, self.classes).float()
        count = hot.sum(0).unsqueeze(1)
        batch = hot.t() @ feats / count.clamp_min(1)
        return torch.where(count > 0, torch.lerp(means, batch, self.rate), means)  # <- culprit
