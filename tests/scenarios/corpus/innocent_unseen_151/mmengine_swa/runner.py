import torch

from .registry import HOOKS, MODELS


class OptimWrapper:
    def __init__(self, optimizer, accumulative_counts):
        self.optimizer, self.counts, self._inner = optimizer, accumulative_counts, 0

    def update_params(self, loss):
        (loss / self.counts).backward()
        self._inner += 1
        if self._inner % self.counts == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()


class Runner:
    def __init__(self, cfg):
        self.max_iters = cfg["max_iters"]
        self.model = MODELS.build(cfg["model"])
        self.hooks = [HOOKS.build(h) for h in cfg["hooks"]]
        opt = torch.optim.SGD(self.model.parameters(), lr=cfg["optim"]["lr"], momentum=0.9)
        self.optim_wrapper = OptimWrapper(opt, cfg["optim"]["accumulative_counts"])

    def data(self):
        for _ in range(self.max_iters):
            x = torch.rand(4, 3, 10, 10)
            yield x, x.argmax(1)

    def parse_losses(self, outputs):
        return sum(v for k, v in outputs.items() if "loss" in k)

    def train(self):
        for h in self.hooks:
            h.before_run(self)
        for it, (x, y) in enumerate(self.data()):
            outputs = self.model(x, y)
            self.optim_wrapper.update_params(self.parse_losses(outputs))
            for h in self.hooks:
                h.after_train_iter(self, it, outputs)
