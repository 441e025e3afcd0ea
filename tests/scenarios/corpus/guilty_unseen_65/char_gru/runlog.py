"""Logging set-up. Records are kept in memory and written in one go when the run ends (the shared
file system is slow), or at once when something is logged as an error."""
import logging
import logging.handlers
import sys

log = logging.getLogger("chargru")


def setup_logging():
    target = logging.StreamHandler(sys.stdout)
    target.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    memory = logging.handlers.MemoryHandler(
        capacity=100_000, flushLevel=logging.ERROR, target=target
    )
    log.setLevel(logging.INFO)
    log.addHandler(memory)
    log.propagate = False
    return memory


class ProgressLogger:
    def __init__(self, every=1):
        self.every = every

    def on_step(self, step, loss, grad_norm):
        if step % self.every == 0:
            log.info("step %d loss %.4f |g| %.3f", step, loss, grad_norm)  # <- culprit

    def on_epoch(self, epoch):
        log.info("epoch %d done", epoch)
