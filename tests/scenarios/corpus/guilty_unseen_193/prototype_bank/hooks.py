class Hook:
    priority = 50

    def after_forward(self, runner):
        pass

    def after_iter(self, runner):
        pass


class PrototypeHook(Hook):
    """Starts to move the prototypes once the encoder has warmed up."""

    def __init__(self, start):
        self.start = start

    def after_forward(self, runner):
        if runner.iter >= self.start:
            runner.bank.update(runner.outputs["feats"], runner.batch[1])  # <- culprit


class LogHook(Hook):
    priority = 90

    def __init__(self, interval):
        self.interval, self.buffer = interval, []

    def after_iter(self, runner):
        self.buffer.append(runner.outputs["loss"].item())
        if len(self.buffer) == self.interval:
            print(f"iter {runner.iter}: loss {sum(self.buffer) / self.interval:.4f}")
            self.buffer.clear()
