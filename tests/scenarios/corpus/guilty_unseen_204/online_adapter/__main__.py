# gradwatch-corpus: kind=graph-chain
# holder: self.params | self.fast.params
# first-bad: 1
import torch

from .fast import FastWeights
from .tasks import DriftingSine, TaskConfig


class OnlineLearner:
    def __init__(self, config):
        torch.manual_seed(config.seed)
        self.task = DriftingSine(config)
        self.log_lr = torch.zeros(4).sub(3.0).requires_grad_(True)
        self.fast = FastWeights.init(1, 16, self.log_lr)
        self.meta_opt = torch.optim.Adam([self.log_lr], lr=1e-2)
        self.errors = []

    def observe(self, support, query):
        self.fast.adapt(*support)
        loss = self.fast.loss(*query)
        grads = torch.autograd.grad(loss, list(self.fast.params.values()))
        self.meta_opt.zero_grad()
        self.log_lr.grad = self.fast.lr_signal(grads)
        self.meta_opt.step()
        self.errors.append(loss.item())

    def run(self):
        for support, query in self.task:
            self.observe(support, query)
        return self.errors


def main():
    errors = OnlineLearner(TaskConfig(steps=420, seed=2)).run()
    for start in range(0, len(errors), 105):
        chunk = errors[start:start + 105]
        print(start, round(sum(chunk) / len(chunk), 4))


if __name__ == "__main__":
    main()
