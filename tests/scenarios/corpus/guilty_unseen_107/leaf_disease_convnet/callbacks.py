from journal import Journal, accuracy_line, loss_line, rate_line


class Callback:
    def on_start(self, loop): ...

    def on_batch(self, loop, **info): ...

    def on_finish(self, loop): ...


class ProgressJournal(Callback):
    def __init__(self, every):
        self.every = every
        self.journal = Journal()

    def on_batch(self, loop, loss, logits, label):
        if loop.iteration % self.every:
            return
        self.journal.later("loss", loss_line, loop.iteration, loss.detach())
        self.journal.later("accuracy", accuracy_line, loop.iteration, logits, label)  # <- culprit
        self.journal.later("rate", rate_line, loop.iteration, loop.opt.param_groups[0]["lr"])

    def on_finish(self, loop):
        self.journal.flush(keep_every=26)


class EarlyRate(Callback):
    """Lowers the learning rate slowly."""

    def __init__(self, floor, decay=0.995):
        self.floor, self.decay = floor, decay

    def on_batch(self, loop, **info):
        for group in loop.opt.param_groups:
            group["lr"] = max(self.floor, group["lr"] * self.decay)
