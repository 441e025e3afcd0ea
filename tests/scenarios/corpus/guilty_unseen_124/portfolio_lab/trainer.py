import torch

from .policy import utility


class Trainer:
    def __init__(self, policy, cfg, callbacks):
        self.policy, self.cfg, self.callbacks = policy, cfg, callbacks
        self.opt = torch.optim.Adam(policy.parameters(), lr=cfg.lr)
        self.step = 0

    def market(self, n=32):
        cfg = self.cfg
        drift = 0.01 * torch.randn(n, cfg.assets, 1)
        path = drift + 0.01 * torch.randn(n, cfg.assets, cfg.lookback + cfg.horizon)
        return path[:, :, : cfg.lookback], path[:, :, cfg.lookback:]

    def emit(self, event, *args):
        for cb in self.callbacks:
            getattr(cb, event)(self, *args)

    def one_step(self):
        past, future = self.market()
        value, turnover = utility(self.policy(past * 50), future, self.cfg.cost)
        self.opt.zero_grad()
        (-value).backward()
        self.emit("after_backward")
        self.opt.step()
        self.step += 1
        self.emit("after_step", {"utility": value, "turnover": turnover})

    def run(self):
        while self.step < self.cfg.steps:
            self.one_step()
