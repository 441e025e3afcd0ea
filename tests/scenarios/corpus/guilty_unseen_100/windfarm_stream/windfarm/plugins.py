from .bus import Plugin


class WarmupReset(Plugin):
    def __init__(self, store, until):
        self.store, self.until = store, until

    def on_step_begin(self, step, **_):
        if step < self.until:
            self.store.clear()


class StateCarrier(Plugin):
    def __init__(self, store):
        self.store = store

    def on_forward_done(self, hidden, **_):
        self.store.put("farm", hidden)  # <- culprit


class Narrator(Plugin):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, step, error, **_):
        if step % self.every == 0:
            print(f"[{step:3d}] abs err {error:.4f}")
