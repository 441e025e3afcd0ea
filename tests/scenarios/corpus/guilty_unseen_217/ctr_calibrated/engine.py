import itertools

import torch.nn.functional as F


class Hook:
    def after_step(self, it, loss):
        pass


class LogLossHook(Hook):
    def __init__(self, every):
        self.every, self.acc, self.n = every, 0.0, 0

    def after_step(self, it, loss):
        self.acc += loss.item()
        self.n += 1
        if (it + 1) % self.every == 0:
            print(f"it {it + 1} logloss {self.acc / self.n:.4f}")
            self.acc, self.n = 0.0, 0


class StepLRHook(Hook):
    def __init__(self, opt, every, gamma=0.5):
        self.opt, self.every, self.gamma = opt, every, gamma

    def after_step(self, it, loss):
        if (it + 1) % self.every == 0:
            for g in self.opt.param_groups:
                g["lr"] *= self.gamma


class Engine:
    def __init__(self, model, opt, hooks):
        self.model, self.opt, self.hooks = model, opt, hooks

    def fit(self, stream, steps):
        self.model.train()
        for it, batch in enumerate(itertools.islice(stream, steps)):
            logit = self.model(batch)
            loss = F.binary_cross_entropy_with_logits(logit, batch["click"])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            for h in self.hooks:
                h.after_step(it, loss)
