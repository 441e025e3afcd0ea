import copy


class Callback:
    def on_step(self, trainer, step, outputs, losses):
        pass

    @staticmethod
    def plain(values):
        """What may be kept: no graph."""
        return {k: v.detach() for k, v in values.items()}


class History(Callback):
    def __init__(self):
        self.rows = []

    def on_step(self, trainer, step, outputs, losses):
        self.rows.append({k: v.item() for k, v in losses.items()})


class Bank(Callback):
    def __init__(self, size):
        self.size, self.entries = size, []

    def store(self, values):
        self.entries.append(self.plain(values))
        if len(self.entries) > self.size:
            self.entries.pop(0)


class LossBank(Bank):
    def on_step(self, trainer, step, outputs, losses):
        self.store(losses)


class BestMetric(Callback):
    def __init__(self, name, every):
        self.name, self.every, self.best, self.weights = name, every, 0.0, None

    def on_step(self, trainer, step, outputs, losses):
        if step % self.every:
            return
        value = trainer.evaluate()[self.name]
        if value > self.best:
            self.best, self.weights = value, copy.deepcopy(trainer.model.state_dict())
        total = sum(v.item() for v in losses.values())
        print(f"step {step}: loss {total:.6f} {self.name} {value:.5f} best {self.best:.5f}")
