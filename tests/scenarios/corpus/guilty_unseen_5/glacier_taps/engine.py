from dataclasses import dataclass, field

import torch


@dataclass
class EngineConfig:
    max_steps: int = 300
    steps_per_epoch: int | None = None
    lr: float = 2e-3
    hide: float = 0.4
    plugins: list = field(default_factory=list)


class Engine:
    def __init__(self, net, feed, cfg):
        self.net, self.feed, self.cfg = net, feed, cfg
        self.opt = torch.optim.RAdam(net.parameters(), lr=cfg.lr)
        self.attached = []
        self.step, self.last = 0, float("nan")

    def attach(self, p):
        self.attached.append(p)

    def emit(self, event):
        for p in self.attached:
            getattr(p, event)(self)

    def fit(self):
        self.emit("on_fit_begin")
        for wave in self.feed:
            self.last = self.update(wave)
            self.emit("on_step_end")
            self.step += 1
            if self.cfg.steps_per_epoch and self.step % self.cfg.steps_per_epoch == 0:
                self.emit("on_epoch_end")
            if self.step >= self.cfg.max_steps:
                break
        self.emit("on_fit_end")

    def update(self, wave):
        hidden = torch.rand_like(wave) < self.cfg.hide
        guess = self.net(wave.masked_fill(hidden, 0.0))
        miss = ((guess - wave)[hidden] ** 2).mean()
        self.opt.zero_grad()
        miss.backward()
        self.opt.step()
        return float(miss)
