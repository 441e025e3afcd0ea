"""Remember the learning rate of every step."""
from training.trainer import Callback


class LearningRateLog(Callback):
    def __init__(self):
        self.values = []

    def on_batch_end(self, trainer, module, outputs, batch):
        self.values.append(trainer.optimizer.param_groups[0]["lr"])
