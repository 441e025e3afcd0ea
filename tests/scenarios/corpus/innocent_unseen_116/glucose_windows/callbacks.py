from collections import deque


class Callback:
    def before_window(self, trainer): ...

    def after_update(self, trainer, terms): ...


class LossTrace(Callback):
    """The last few windows as they were, to print their spread."""

    def __init__(self, keep):
        self.recent = deque(maxlen=keep)

    def after_update(self, trainer, terms):
        self.recent.append(terms)
        if trainer.done % 60 == 0:
            firsts = sum(t[0].item() for t in self.recent) / len(self.recent)
            lasts = sum(t[-1].item() for t in self.recent) / len(self.recent)
            print(f"update {trainer.done}: first in window {firsts:.4f}, last {lasts:.4f}")


class StateReset(Callback):
    def __init__(self, every):
        self.every = every

    def before_window(self, trainer):
        if trainer.done % self.every == 0:
            trainer.net.carry = None
