class Callback:
    def on_step_end(self, trainer, step, logs):
        pass


class Gallery(Callback):
    def __init__(self, keep):
        self.keep = keep
        self.frames = {}

    def on_step_end(self, trainer, step, logs):
        self.frames[step] = logs["fake"][: self.keep]  # <- culprit

    def spread(self, step):
        return self.frames[step].norm(dim=1).mean().item()


class ScoreMeter(Callback):
    def __init__(self):
        self.values = []

    def on_step_end(self, trainer, step, logs):
        self.values.append(logs["d_real"])

    def mean(self):
        return sum(self.values) / len(self.values)
