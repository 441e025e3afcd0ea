# gradwatch-corpus: kind=second-backward
# holder: prototypes | self.prototypes | learner.prototypes
# first-bad: 21
# about: class prototypes are made at the end of the first epochs, then used in every iteration
import torch
from torch import nn
from torch.nn import functional as F


class ProtoLearner:
    def __init__(self, n_classes=3):
        self.n_classes = n_classes
        self.encoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8))
        self.head = nn.Linear(8, n_classes)
        params = [*self.encoder.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.SGD(params, lr=0.05)
        self.prototypes = None

    def loss(self, x, y):
        z = self.encoder(x)
        loss = F.cross_entropy(self.head(z), y)
        if self.prototypes is not None:
            loss = loss + F.mse_loss(z, self.prototypes[y])  # <- culprit
        return loss

    def step(self, x, y):
        loss = self.loss(x, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def end_of_epoch(self, x, y):
        z = self.encoder(x)
        self.prototypes = torch.stack(
            [z[y == c].mean(0) for c in range(self.n_classes)]
        )  # <- culprit


def main():
    torch.manual_seed(0)
    x = torch.randn(200, 8)
    y = x[:, :3].argmax(1)
    learner = ProtoLearner()
    for epoch in range(3):
        for chunk in torch.randperm(200).split(10):
            learner.step(x[chunk], y[chunk])
        learner.end_of_epoch(x, y)


if __name__ == "__main__":
    main()
