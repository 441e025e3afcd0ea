"""Minimal trainer with Lightning-style callbacks."""


class Callback:
    def on_fit_start(self, trainer, module): ...
    def on_batch_end(self, trainer, module, outputs, batch): ...
    def on_epoch_end(self, trainer, module): ...


class Trainer:
    def __init__(self, callbacks=(), max_epochs=1):
        self.callbacks, self.max_epochs = list(callbacks), max_epochs
        self.global_step, self.optimizer = 0, None

    def _call(self, hook, *args):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *args)

    def fit(self, module, loader):
        self.optimizer, scheduler = module.configure()
        self._call("on_fit_start", module)
        for _ in range(self.max_epochs):
            for batch in loader:
                outputs = module.training_step(batch)
                self.optimizer.zero_grad()
                outputs["loss"].backward()
                self.optimizer.step()
                scheduler.step()
                self._call("on_batch_end", module, outputs, batch)
                self.global_step += 1
            self._call("on_epoch_end", module)
