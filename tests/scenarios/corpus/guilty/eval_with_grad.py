# gradwatch-corpus: kind=graph-unused
# about: each epoch's evaluation builds graphs that nobody backwards
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def dataset(n):
    x = torch.randn(n, 1, 10, 10)
    return TensorDataset(x, (x.mean(dim=(1, 2, 3)) > 0).long())


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 6, 3),
            nn.BatchNorm2d(6),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(6, 12, 3),
            nn.ReLU(),
        )
        self.classifier = nn.Linear(12 * 4, 2)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def evaluate(model, loader):
    model.eval()
    correct = 0
    for x, y in loader:
        output = model(x)  # <- culprit
        correct += (output.argmax(dim=1) == y).sum().item()
    return correct / len(loader.dataset)


def train_epoch(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def main():
    torch.manual_seed(0)
    train = DataLoader(dataset(96), batch_size=8, shuffle=True)
    test = DataLoader(dataset(96), batch_size=8)
    model = CNN()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(5):
        train_epoch(model, train, optimizer)
        print(f"epoch {epoch}: accuracy {evaluate(model, test):.3f}")  # <- culprit


if __name__ == "__main__":
    main()
