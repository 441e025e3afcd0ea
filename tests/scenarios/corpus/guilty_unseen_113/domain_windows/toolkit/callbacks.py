from .board import LossBoard


class Callback:
    def on_epoch_start(self, trainer, epoch):
        pass

    def on_batch_end(self, trainer, domain, outputs):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class BoardCallback(Callback):
    def __init__(self, keep):
        self.board = LossBoard(keep)

    def on_epoch_start(self, trainer, epoch):
        self.board.open(f"e{epoch:03d}")  # <- culprit

    def on_batch_end(self, trainer, domain, outputs):
        self.board.put(domain, outputs["loss"])  # <- culprit

    def on_epoch_end(self, trainer, epoch):
        trainer.report = {d: self.board.row(d) for d in trainer.domains}


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def on_epoch_end(self, trainer, epoch):
        if epoch % self.every == 0:
            print(epoch, "  ".join(f"{d}: {v:.3f}" for d, v in trainer.report.items()))
