import time

import torch
import torch.nn.functional as F


class Callback:
    def on_start(self, trainer): ...
    def on_step(self, trainer, losses): ...
    def on_finish(self, trainer): ...


class Ticker(Callback):
    def __init__(self, every=50):
        self.every = every

    def on_start(self, trainer):
        self.t0 = time.time()

    def on_step(self, trainer, losses):
        if trainer.step % self.every == 0:
            txt = " ".join(f"{k} {v:.4f}" for k, v in losses.items())
            lvl = trainer.net.center.level.abs().mean().item()
            print(f"[{trainer.step:4d}] {txt} level {lvl:.3f}")

    def on_finish(self, trainer):
        print(f"finished after {time.time() - self.t0:.1f} s")


class Trainer:
    def __init__(self, net, job, callbacks=()):
        self.net, self.job, self.callbacks = net, job, list(callbacks)
        self.opt = torch.optim.Adam(net.parameters(), lr=job.opt.lr)
        self.step = 0

    def emit(self, what, *args):
        for cb in self.callbacks:
            getattr(cb, what)(self, *args)

    def training_step(self, batch):
        past, height, surge = batch
        h, s = self.net(past)
        return {"height": F.smooth_l1_loss(h, height.flatten(1)), "surge": 0.3 * F.mse_loss(s, surge)}

    def fit(self, stream):
        self.emit("on_start")
        for self.step, batch in enumerate(stream):
            if self.step >= self.job.steps:
                break
            losses = self.training_step(batch)
            self.opt.zero_grad()
            sum(losses.values()).backward(retain_graph=self.job.opt.keep_graph)
            self.opt.step()
            self.emit("on_step", {k: v.item() for k, v in losses.items()})
        self.emit("on_finish")
