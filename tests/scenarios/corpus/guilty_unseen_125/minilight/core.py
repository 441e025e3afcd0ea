import torch


class LitModule(torch.nn.Module):
    trainer = None

    def on_fit_start(self): ...
    def on_train_epoch_end(self): ...

    def configure_optimizers(self):
        raise NotImplementedError


class Fit:
    def __init__(self, max_epochs, callbacks=()):
        self.max_epochs = max_epochs
        self.callbacks = list(callbacks)
        self.global_step = 0

    def fit(self, module, loader):
        module.trainer = self
        opt = module.configure_optimizers()
        module.on_fit_start()
        for self.current_epoch in range(self.max_epochs):
            for bi, batch in enumerate(loader):
                out = module.training_step(batch, bi)
                loss = out["loss"] if isinstance(out, dict) else out
                opt.zero_grad()
                loss.backward()
                opt.step()
                self.global_step += 1
                for cb in self.callbacks:
                    cb.on_batch_end(self, module, out)
            module.on_train_epoch_end()
