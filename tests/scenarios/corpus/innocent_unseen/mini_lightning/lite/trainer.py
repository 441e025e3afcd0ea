import torch
from torch import nn


class LiteModule(nn.Module):
    trainer = None

    def log(self, name, value):
        self.trainer.logged[name] = float(value.detach()) if isinstance(value, torch.Tensor) else value


class Trainer:
    def __init__(self, max_epochs, callbacks=()):
        self.max_epochs, self.callbacks = max_epochs, list(callbacks)
        self.logged, self.outputs, self.step = {}, None, 0

    def call(self, name, *a):
        for cb in self.callbacks:
            if (fn := getattr(cb, name, None)) is not None:
                fn(self, *a)

    def fit(self, module, train, val):
        module.trainer = self
        opt, sched = module.configure_optimizers()
        for epoch in range(self.max_epochs):
            module.train()
            for i, batch in enumerate(train):
                self.outputs = module.training_step(batch, i)  # kept until the next batch
                opt.zero_grad()
                self.outputs["loss"].backward()
                opt.step()
                self.step += 1
                self.call("on_train_batch_end", module)
            self.validate(module, val)
            sched.step()
            self.call("on_epoch_end", module, epoch)

    def validate(self, module, val):
        module.eval()
        with torch.no_grad():
            losses = [module.validation_step(b, i) for i, b in enumerate(val)]
        self.logged["val_loss"] = torch.stack(losses).mean()
