class Callback:
    def on_fit_start(self, engine):
        pass

    def on_step_end(self, engine, output):
        pass

    def on_epoch_end(self, engine, epoch):
        pass


class CallbackList(Callback):
    def __init__(self, items):
        self.items = list(items)

    def on_fit_start(self, engine):
        for cb in self.items:
            cb.on_fit_start(engine)

    def on_step_end(self, engine, output):
        for cb in self.items:
            cb.on_step_end(engine, output)

    def on_epoch_end(self, engine, epoch):
        for cb in self.items:
            cb.on_epoch_end(engine, epoch)


class LRWarmup(Callback):
    def __init__(self, steps):
        self.steps = steps
        self.seen = 0

    def on_fit_start(self, engine):
        self.base = engine.config.lr

    def on_step_end(self, engine, output):
        self.seen += 1
        scale = min(1.0, self.seen / self.steps)
        for group in engine.optimizer.param_groups:
            group["lr"] = self.base * scale


class EpochRecorder(Callback):
    def __init__(self):
        self.outputs = []

    def on_step_end(self, engine, output):
        self.outputs.append(output)  # <- culprit

    def curve(self, per_epoch):
        values = [o.loss.item() for o in self.outputs]
        return [
            sum(values[i:i + per_epoch]) / per_epoch
            for i in range(0, len(values), per_epoch)
        ]
