import torch

from column import surface_temperature


class CallbackMixin:
    callbacks = ()

    def emit(self, event, **payload):
        for cb in self.callbacks:
            handler = getattr(cb, event, None)
            if handler is not None:
                handler(**payload)


class Trainer(CallbackMixin):
    def __init__(self, net, optimizer, sampler, residual, callbacks):
        self.net = net
        self.optimizer = optimizer
        self.sampler = sampler
        self.residual = residual
        self.callbacks = callbacks
        self.generator = torch.Generator().manual_seed(4)

    def terms(self):
        z, t = self.sampler(self.generator)
        top = self.net(torch.zeros_like(t), t)
        skin = (top - surface_temperature(t)).pow(2).mean()
        bed = (self.net(torch.ones_like(t), t) + 0.3).pow(2).mean()
        interior = self.residual(self.net, z, t).pow(2).mean()
        return {"skin": skin, "bed": bed, "interior": interior}

    def run(self, iterations):
        for i in range(iterations):
            terms = self.terms()
            loss = 5 * terms["skin"] + 5 * terms["bed"] + terms["interior"]
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.emit("after_step", iteration=i, terms=terms)  # <- culprit
        self.emit("after_run")
