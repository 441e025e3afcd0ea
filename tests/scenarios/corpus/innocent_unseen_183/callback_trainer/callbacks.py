class Callback:
    def on_epoch_start(self, trainer):
        pass

    def on_batch(self, trainer, outputs):
        pass

    def on_epoch_end(self, trainer):
        pass


class EpochStore(Callback):
    """Base for callbacks that look at a whole epoch of batches."""

    def __init__(self):
        self.rows = []

    def on_epoch_start(self, trainer):
        self.rows = []

    def on_batch(self, trainer, outputs):
        self.rows.append(self.pick(outputs))

    def pick(self, outputs):
        raise NotImplementedError


class LossCurve(EpochStore):
    def pick(self, outputs):
        return outputs["loss"]

    def on_epoch_end(self, trainer):
        first, last = self.rows[0].item(), self.rows[-1].item()
        print(f"epoch {trainer.epoch}: {first:.4f} -> {last:.4f}")


class MarginStats(EpochStore):
    def pick(self, outputs):
        return outputs["margin"]

    def on_epoch_end(self, trainer):
        ranked = sorted(m.mean().item() for m in self.rows)
        print(f"    median margin {ranked[len(ranked) // 2]:.3f}")
