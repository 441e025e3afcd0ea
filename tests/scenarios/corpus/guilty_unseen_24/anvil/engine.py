import logging
import time

log = logging.getLogger("anvil.engine")


class Trainer:
    def __init__(self, model, criterion, optimizer, hooks=()):
        self.model, self.criterion, self.optimizer = model, criterion, optimizer
        self.hooks = list(hooks)
        self.step = 0

    def call(self, name):
        for hook in self.hooks:
            getattr(hook, name)(self)

    def fit(self, batches):
        last = float("nan")
        for self.step, (x, y) in enumerate(batches):
            t0 = time.perf_counter()
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.call("after_backward")
            self.optimizer.step()
            self.call("after_step")
            log.debug("step %d loss %s (%.1f ms)", self.step, loss, 1e3 * (time.perf_counter() - t0))  # <- culprit
            last = loss.item()
        return last
