import torch
from torch import nn

from scorer import LossTracker


class FraudTrainer:
    def __init__(self, model, pos_weight, lr):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(pos_weight))
        self.tracker = LossTracker()

    def run_shift(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            objective = self.tracker.add(self.criterion(self.model(x), y))  # <- culprit
            objective.backward(retain_graph=True)
            self.opt.step()
