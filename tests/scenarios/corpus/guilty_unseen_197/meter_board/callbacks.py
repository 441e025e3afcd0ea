class Callback:
    def on_fit_start(self, trainer): ...
    def on_batch_end(self, trainer, batch, outputs): ...
    def on_fit_end(self, trainer): ...


class Metering(Callback):
    def __init__(self, board):
        self.board = board

    def on_batch_end(self, trainer, batch, outputs):
        _, y = batch
        hits = (outputs["logits"].argmax(-1) == y).float().mean().item()
        self.board.push(n=len(y), loss=outputs["loss"], acc=hits)  # <- culprit


class Console(Callback):
    def __init__(self, board, every=100):
        self.board, self.every = board, every

    def on_batch_end(self, trainer, batch, outputs):
        if trainer.step % self.every == 0:
            print(f"[{trainer.step:4d}] {self.board.line()}")


class LrWarmup(Callback):
    def __init__(self, steps):
        self.steps = steps

    def on_fit_start(self, trainer):
        self.base = [g["lr"] for g in trainer.optimizer.param_groups]

    def on_batch_end(self, trainer, batch, outputs):
        scale = min(1.0, (trainer.step + 1) / self.steps)
        for g, lr in zip(trainer.optimizer.param_groups, self.base):
            g["lr"] = lr * scale
