class Trainer:
    def __init__(self, max_steps, callbacks=()):
        self.max_steps = max_steps
        self.callbacks = list(callbacks)
        self.step = 0

    def _call(self, hook, *args):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *args)

    def fit(self, module):
        optimizer = module.configure_optimizers()
        self._call("on_fit_start", module)
        for self.step, batch in enumerate(module.train_batches()):
            if self.step >= self.max_steps:
                break
            outputs = self._run_batch(module, optimizer, batch)
            self._call("on_train_batch_end", module, outputs, self.step)

    @staticmethod
    def _run_batch(module, optimizer, batch):
        outputs = module.training_step(batch)
        optimizer.zero_grad()
        outputs["loss"].backward()
        optimizer.step()
        return outputs
