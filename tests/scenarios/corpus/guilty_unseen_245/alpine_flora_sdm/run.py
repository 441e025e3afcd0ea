import torch
from torch.nn import functional as F

from fieldlog import BatchRecord


class ModelRun:
    def __init__(self, net, log, lr, penalty_weight=0.01):
        self.net = net
        self.log = log
        self.penalty_weight = penalty_weight
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-4)

    def fit_batch(self, number, batch):
        prob = self.net(batch.covariates, batch.effort)
        prob = prob.clamp(1e-5, 1 - 1e-5)
        nll = F.binary_cross_entropy(prob, batch.presence)
        penalty = self.net.penalty()
        loss = nll + self.penalty_weight * penalty
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        richness = batch.presence.sum(dim=1).mean().item()
        record = BatchRecord(number=number, nll=nll, penalty=penalty.item(), richness=richness)  # <- culprit
        self.log.add(record)  # <- culprit
