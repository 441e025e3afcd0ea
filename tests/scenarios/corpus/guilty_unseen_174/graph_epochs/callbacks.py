"""Hooks run by the trainer around epochs and steps."""


class Callback:
    def on_epoch_start(self, trainer):
        pass

    def on_step_end(self, trainer, loss):
        pass

    def on_epoch_end(self, trainer):
        pass


class RefreshPropagation(Callback):
    """Rebuilds the normalised adjacency once per epoch; it costs more than a step."""

    def on_epoch_start(self, trainer):
        model = trainer.model
        model.propagation = model.edges.normalised()  # <- culprit


class EpochMean(Callback):
    def __init__(self):
        self.values = []

    def on_epoch_start(self, trainer):
        self.values.clear()

    def on_step_end(self, trainer, loss):
        self.values.append(loss.item())

    def on_epoch_end(self, trainer):
        print(f"epoch {trainer.epoch}: {sum(self.values) / len(self.values):.4f}")
