from .engine import Engine, On, TrainState

_KNOWN = {}


def known(name):
    def add(cls):
        _KNOWN[name] = cls
        return cls
    return add


def install(engine: Engine, names: list[str], **options) -> None:
    for name in names:
        _KNOWN[name](**options).hook(engine)


@known("memory")
class MemoryKeeper:
    """Writes the junctions' new rows back to the board once the network has burnt in."""

    def __init__(self, burn_in: int = 0, **_) -> None:
        self.burn_in = burn_in

    def hook(self, engine: Engine) -> None:
        engine.subscribe(On.FORECAST, self.keep)  # <- culprit

    def keep(self, state: TrainState) -> None:
        if state.tick >= self.burn_in:
            state.board.write(state.batch.rows, state.updated)  # <- culprit


@known("console")
class Console:
    def __init__(self, **_) -> None:
        self.every = 6

    def hook(self, engine: Engine) -> None:
        engine.subscribe(On.STEP, self.show)

    def show(self, state: TrainState) -> None:
        if state.tick % self.every == 0:
            print(f"tick {state.tick}: loss {state.loss.item():.5f}")
