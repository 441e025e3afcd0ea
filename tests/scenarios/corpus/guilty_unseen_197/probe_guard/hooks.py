from modes import EvalScope


class Hook:
    every = 1

    def due(self, step):
        return step > 0 and step % self.every == 0

    def __call__(self, trainer):
        raise NotImplementedError


class Validate(Hook):
    def __init__(self, batch, every):
        self.batch, self.every = batch, every
        self.best = float("inf")

    def __call__(self, trainer):
        with EvalScope(trainer.model):
            value = trainer.loss_fn(trainer.model(self.batch[0]), self.batch[1]).item()
        self.best = min(self.best, value)
        print(f"step {trainer.step} val {value:.4f} best {self.best:.4f}")


class Decay(Hook):
    def __init__(self, every, factor):
        self.every, self.factor = every, factor

    def __call__(self, trainer):
        for g in trainer.opt.param_groups:
            g["lr"] *= self.factor
