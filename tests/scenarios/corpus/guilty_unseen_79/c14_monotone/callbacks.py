import torch.nn.utils.parametrize as parametrize


class Callback:
    def epoch_begin(self, trainer): pass
    def epoch_end(self, trainer): pass
    def batch_end(self, trainer, value): pass


class WeightMemo(Callback):
    """Once training has settled, keep the positive weights instead of rebuilding them at each access."""

    def __init__(self, burn_in):
        self.burn_in = burn_in
        self._scope = None

    def epoch_begin(self, trainer):
        if trainer.epoch >= self.burn_in:
            self._scope = parametrize.cached()
            self._scope.__enter__()  # <- culprit

    def epoch_end(self, trainer):
        if self._scope is not None:
            self._scope.__exit__(None, None, None)
            self._scope = None


class Tail(Callback):
    def __init__(self, keep):
        self.keep, self.value = keep, None

    def batch_end(self, trainer, value):
        self.value = value if self.value is None else self.keep * self.value + (1 - self.keep) * value
        trainer.logs["tail"] = self.value


class Progress(Callback):
    def epoch_end(self, trainer):
        print(f"epoch {trainer.epoch}: nll tail {trainer.logs['tail']:.4f}  valid {trainer.validate():.4f}")
