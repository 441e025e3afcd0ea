import torch


class LiteModule(torch.nn.Module):
    def training_step(self, batch, step):
        raise NotImplementedError

    def configure_optimizers(self):
        raise NotImplementedError

    def log(self, **values):
        self._logged = {k: float(v) for k, v in values.items()}

    @property
    def logged(self):
        return getattr(self, "_logged", {})


class LiteTrainer:
    def __init__(self, max_steps, log_every=50, clip=None):
        self.max_steps = max_steps
        self.log_every = log_every
        self.clip = clip

    def fit(self, module, stream):
        optimizer = module.configure_optimizers()
        module.train()
        for step, batch in zip(range(self.max_steps), stream):
            loss = module.training_step(batch, step)
            optimizer.zero_grad()
            loss.backward()
            if self.clip:
                torch.nn.utils.clip_grad_norm_(module.parameters(), self.clip)
            optimizer.step()
            if step % self.log_every == 0:
                print(step, " ".join(f"{k}={v:.3f}" for k, v in module.logged.items()))
