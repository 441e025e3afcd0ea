# gradwatch-corpus: kind=retain-needless
# about: retain_graph=True sits in the base class, once needed by another subclass
import torch
from base import BaseTrainer
from torch import nn


class ClassifierTrainer(BaseTrainer):
    def build(self):
        return nn.Sequential(nn.Linear(14, 48), nn.ReLU(), nn.Linear(48, 5))

    def compute_loss(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.model(x), y)


if __name__ == "__main__":
    torch.manual_seed(0)
    batches = [(torch.randn(16, 14), torch.randint(0, 5, (16,))) for _ in range(20)]
    ClassifierTrainer().fit(batches, epochs=3)
