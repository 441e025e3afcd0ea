"""Weights for multi-task losses. A task whose smoothed loss falls slower gets a larger share."""


class EmaMeter:
    def __init__(self, momentum):
        self.momentum = momentum
        self.value = None
        self.initial = None

    def update(self, x):
        if self.initial is None:
            self.initial = x.item()
        self.value = x if self.value is None else self.value.lerp(x, 1 - self.momentum)  # <- culprit

    @property
    def progress(self):
        if self.value is None:
            return 1.0
        return self.value.item() / max(self.initial, 1e-8)


class RelativeLossWeighting:
    def __init__(self, tasks, momentum=0.95, sharpness=1.0):
        self.meters = {t: EmaMeter(momentum) for t in tasks}
        self.sharpness = sharpness

    def current(self):
        raw = {t: m.progress ** self.sharpness for t, m in self.meters.items()}
        z = sum(raw.values())
        return {t: len(raw) * r / z for t, r in raw.items()}

    def __call__(self, losses):
        for name, meter in self.meters.items():
            meter.update(losses[name])  # <- culprit
        w = self.current()
        return sum(w[name] * loss for name, loss in losses.items())
