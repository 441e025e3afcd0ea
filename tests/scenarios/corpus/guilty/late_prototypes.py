# gradwatch-corpus: kind=graph-chain
# holder: self.prototypes | bank.prototypes
# first-bad: 31
# also: retain-needless
# about: prototypes averaged with their graphs, but only once the warm-up epochs are over
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

N_CLASSES, DIM, WARMUP_EPOCHS = 4, 16, 3


class PrototypeBank:
    def __init__(self, momentum=0.95):
        self.momentum = momentum
        self.prototypes = torch.zeros(N_CLASSES, DIM)

    def update(self, features, labels):
        onehot = F.one_hot(labels, N_CLASSES).float()
        means = onehot.t() @ features / onehot.sum(0).clamp(min=1).unsqueeze(1)
        self.prototypes = (
            self.momentum * self.prototypes + (1 - self.momentum) * means
        )  # <- culprit

    def loss(self, features, labels):
        return F.mse_loss(features, self.prototypes[labels])


def train_epoch(epoch, encoder, classifier, bank, loader, optimizer):
    for x, y in loader:
        features = encoder(x)
        loss = F.cross_entropy(classifier(features.detach()), y) + 0.01 * features.pow(2).mean()
        if epoch >= WARMUP_EPOCHS:
            bank.update(features, y)
            loss = loss + 0.5 * bank.loss(features, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")


def main():
    torch.manual_seed(0)
    x = torch.randn(160, 20)
    y = x[:, :N_CLASSES].argmax(1)
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    encoder, classifier = nn.Linear(20, DIM), nn.Linear(DIM, N_CLASSES)
    params = [*encoder.parameters(), *classifier.parameters()]
    optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9)
    bank = PrototypeBank()
    for epoch in range(6):
        train_epoch(epoch, encoder, classifier, bank, loader, optimizer)


if __name__ == "__main__":
    main()
