from framework import Engine, Plugin

PLUGINS: dict[str, type[Plugin]] = {}


def plugin(name: str):
    def register(cls: type[Plugin]) -> type[Plugin]:
        PLUGINS[name] = cls
        return cls
    return register


@plugin("freeze_items")
class FreezeItems(Plugin):
    """Items keep their pretrained vectors while the recurrent part warms up."""

    epochs = 1

    def epoch_started(self, engine: Engine) -> None:
        engine.model.items.weight.requires_grad_(engine.clock.epoch >= self.epochs)


@plugin("report")
class Report(Plugin):
    def __init__(self) -> None:
        self.total, self.count = 0.0, 0

    def step_done(self, engine: Engine, loss: float) -> None:
        self.total += loss
        self.count += 1

    def epoch_done(self, engine: Engine) -> None:
        print(f"epoch {engine.clock.epoch}: loss {self.total / self.count:.4f}")
        self.total, self.count = 0.0, 0
