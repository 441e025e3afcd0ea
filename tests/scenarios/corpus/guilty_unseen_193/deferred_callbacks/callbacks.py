from functools import partial


class Callback:
    def on_step_end(self, trainer, logs):
        pass

    def on_fit_end(self, trainer):
        pass


class WandbLike(Callback):
    """Collects run history; slow media calls are postponed until the run is finished."""

    def __init__(self, every=1):
        self.every = every
        self.rows = []
        self.jobs = []
        self.media = {}

    def _histogram(self, key, step, values, bins=10):
        values = values.detach().flatten()
        self.media[(key, step)] = values.histc(bins).tolist()

    def defer(self, fn, *args, **kwargs):
        self.jobs.append(partial(fn, *args, **kwargs))  # <- culprit

    def on_step_end(self, trainer, logs):
        self.rows.append({k: float(v) for k, v in logs["scalars"].items()})
        if trainer.step % self.every == 0:
            gate = trainer.model.gate.weight.detach().clone()
            self.defer(self._histogram, "gate/weight", trainer.step, gate)
            self.defer(self._histogram, "gate/probs", trainer.step, logs["gate"], bins=4)  # <- culprit

    def on_fit_end(self, trainer):
        for job in self.jobs:
            job()
        self.jobs.clear()


class PrintProgress(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, trainer, logs):
        if trainer.step % self.every == 0:
            print(trainer.step, {k: round(v, 4) for k, v in logs["scalars"].items()})
