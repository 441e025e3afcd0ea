class Callback:
    def bind(self, trainer):
        self.trainer = trainer

    def objective(self, loss):
        return loss

    def epoch_end(self, epoch):
        pass


class SmoothLoss(Callback):
    """Steps on a moving average of the batch losses in place of the raw loss."""

    def __init__(self, beta):
        self.beta = beta
        self.prev = None

    def objective(self, loss):
        if self.prev is not None:
            loss = self.beta * self.prev + (1 - self.beta) * loss
        self.prev = loss  # <- culprit
        return loss


class LossPrinter(Callback):
    def epoch_end(self, epoch):
        print(f"epoch {epoch} raw loss {self.trainer.last_raw:.4f}")
