import torch
from torch import nn

from fedsim.registry import build_aggregator


class Server:
    def __init__(self, skeleton: nn.Module, rule: str, server_lr: float):
        self.skeleton = skeleton
        self.rule = build_aggregator(rule)
        self.server_lr = server_lr
        self.weights = {k: p.detach().clone().requires_grad_() for k, p in skeleton.named_parameters()}

    def sample(self, clients, k):
        order = torch.randperm(len(clients))[:k]
        return [clients[i] for i in order.tolist()]

    def apply(self, deltas, sizes):
        update = self.rule(deltas, sizes)
        self.weights = {k: w + self.server_lr * update[k] for k, w in self.weights.items()}  # <- culprit

    def round(self, cohort, lr, local_steps):
        deltas = []
        losses = []
        for client in cohort:
            delta, loss = client.fit(self.skeleton, self.weights, lr, local_steps)
            deltas.append(delta)
            losses.append(loss)
        self.apply(deltas, [c.size for c in cohort])
        return sum(losses) / len(losses)
