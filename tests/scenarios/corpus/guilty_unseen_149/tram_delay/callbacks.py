from meters import Average


class Callback:
    def after_step(self, trainer, **kw):
        pass

    def finish(self, trainer):
        pass


class Progress(Callback):
    def __init__(self, every):
        self.every = every
        self.meter = Average("minutes")

    def after_step(self, trainer, step, loss, count):
        self.meter.update(loss, count)  # <- culprit
        if (step + 1) % self.every == 0:
            print(f"{step + 1:4d}  {self.meter}")

    def finish(self, trainer):
        print("overall", self.meter)


class StepDecay(Callback):
    def __init__(self, at, factor=0.2):
        self.at, self.factor = at, factor

    def after_step(self, trainer, step, **kw):
        if step == self.at:
            for group in trainer.opt.param_groups:
                group["lr"] *= self.factor
