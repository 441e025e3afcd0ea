class Engine:
    def __init__(self, max_epochs, callbacks=()):
        self.max_epochs = max_epochs
        self.callbacks = list(callbacks)
        self.global_step = 0
        self.epoch = 0

    def _call(self, name, *args):
        for cb in self.callbacks:
            getattr(cb, name)(self, *args)

    def _run_batch(self, module, opt, batch):
        out = module.training_step(batch)
        opt.zero_grad()
        out["loss"].backward()
        self._call("on_after_backward", module)
        opt.step()
        self._call("on_batch_end", module, out)
        self.global_step += 1

    def fit(self, module, loader):
        opt = module.configure_optimizers()
        self._call("on_fit_start", module)
        for self.epoch in range(self.max_epochs):
            module.train()
            for batch in loader:
                self._run_batch(module, opt, batch)
            self._call("on_epoch_end", module)
