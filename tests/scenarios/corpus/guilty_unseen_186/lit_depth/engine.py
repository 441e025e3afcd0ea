from collections import defaultdict

from torch import nn


class ScalarLogMixin:
    """self.log(name, value) with a mean per name at the end of fit."""

    def _init_scalars(self):
        self._scalars = defaultdict(list)

    def log(self, name, value):
        self._scalars[name].append(value)  # <- culprit

    def latest(self):
        return {k: float(v[-1]) for k, v in self._scalars.items()}

    def epoch_summary(self):
        return {k: sum(float(x) for x in v) / len(v) for k, v in self._scalars.items()}


class LitBase(nn.Module, ScalarLogMixin):
    def __init__(self):
        super().__init__()
        self._init_scalars()

    def training_step(self, batch, idx):
        raise NotImplementedError

    def on_train_batch_end(self, step):
        pass

    def configure_optimizers(self):
        raise NotImplementedError


class Engine:
    def __init__(self, max_steps, print_every=100):
        self.max_steps = max_steps
        self.print_every = print_every
        self.global_step = 0

    def fit(self, model, make_loader):
        opt = model.configure_optimizers()
        while self.global_step < self.max_steps:
            for idx, batch in enumerate(make_loader()):
                opt.zero_grad()
                loss = model.training_step(batch, idx)
                loss.backward()
                opt.step()
                model.on_train_batch_end(self.global_step)
                self.global_step += 1
                if self.global_step % self.print_every == 0:
                    print(self.global_step, model.latest(), flush=True)
                if self.global_step >= self.max_steps:
                    return
