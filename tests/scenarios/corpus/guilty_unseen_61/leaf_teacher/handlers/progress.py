"""Console output."""
from core.engine import Events


class Progress:
    def __init__(self, every):
        self.every = every

    def attach(self, engine):
        engine.on(Events.BATCH_END, self.show)

    def show(self, engine):
        if engine.state.step % self.every == 0:
            print(f"epoch {engine.state.epoch} step {engine.state.step} loss {engine.state.loss:.4f}")
