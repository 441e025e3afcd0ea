import torch
from torch import nn
from torch.func import functional_call


class WrenchEstimator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Linear(cfg.tactile_dim, cfg.hidden)
        self.head = nn.Linear(cfg.hidden, cfg.wrench_dim)

    def forward(self, tactile):
        features = torch.relu(self.trunk(tactile))
        return self.head(features)


class OnlineAdapter:
    """First-order adaptation of the estimator between two grasps."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.estimator = WrenchEstimator(cfg)
        self.fast = dict(self.estimator.named_parameters())

    def slow_parameters(self):
        return list(self.estimator.parameters())

    def loss(self, batch):
        tactile, wrench = batch
        estimate = functional_call(self.estimator, self.fast, (tactile,))
        return nn.functional.mse_loss(estimate, wrench)

    def adapt(self, support):
        support_loss = self.loss(support)
        names = list(self.fast)
        current = [self.fast[name] for name in names]
        grads = torch.autograd.grad(support_loss, current)
        adapted = {}
        for name, value, grad in zip(names, current, grads):
            adapted[name] = value - self.cfg.fast_lr * grad  # <- culprit
        self.fast = adapted  # <- culprit
