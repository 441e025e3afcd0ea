from torch import nn


class LightningModule(nn.Module):
    trainer = None

    def log_dict(self, metrics):
        for k, v in metrics.items():
            self.trainer.metrics[k] = v

    def backward(self, loss):
        loss.backward()


class Trainer:
    def __init__(self, max_steps, log_every=25):
        self.max_steps, self.log_every = max_steps, log_every
        self.metrics = {}

    def fit(self, module, loader):
        module.trainer = self
        opt = module.configure_optimizers()
        step = 0
        while step < self.max_steps:
            for batch in loader:
                loss = module.training_step(batch, step)
                opt.zero_grad(set_to_none=True)
                module.backward(loss)
                opt.step()
                step += 1
                if step % self.log_every == 0:
                    print(step, {k: round(v, 4) for k, v in self.metrics.items()})
                if step >= self.max_steps:
                    break
