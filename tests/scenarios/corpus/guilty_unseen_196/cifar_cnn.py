# gradwatch-corpus: kind=graph-held
# holder: train_losses
# first-bad: 1
"""Small CNN on a CIFAR-like dataset (exported from notebook)."""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(42)

BATCH_SIZE = 8
EPOCHS = 4
LR = 0.01
NUM_CLASSES = 10


def make_dataset(n, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, NUM_CLASSES, (n,), generator=g)
    protos = torch.randn(NUM_CLASSES, 3, 16, 16, generator=torch.Generator().manual_seed(7))
    images = protos[labels] + 0.8 * torch.randn(n, 3, 16, 16, generator=g)
    return TensorDataset(images, labels)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(16)
        self.pool = nn.MaxPool2d(2)
        self.fc1 = nn.Linear(16 * 4 * 4, 64)
        self.drop = nn.Dropout(0.25)
        self.fc2 = nn.Linear(64, NUM_CLASSES)

    def forward(self, x):
        x = self.pool(F.relu(self.bn1(self.conv1(x))))
        x = self.pool(F.relu(self.bn2(self.conv2(x))))
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        return self.fc2(self.drop(x))


train_loader = DataLoader(make_dataset(1000, 0), batch_size=BATCH_SIZE, shuffle=True)
test_loader = DataLoader(make_dataset(200, 1), batch_size=50)

net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=LR, momentum=0.9, weight_decay=5e-4)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)

train_losses = []
test_accs = []

for epoch in range(EPOCHS):
    net.train()
    correct = 0
    total = 0
    for i, (inputs, labels) in enumerate(train_loader):
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()

        train_losses.append(loss)  # <- culprit
        _, predicted = outputs.max(1)
        total += labels.size(0)
        correct += predicted.eq(labels).sum().item()
        if i % 50 == 49:
            recent = sum(l.item() for l in train_losses[-50:]) / 50
            print(f"[{epoch + 1}, {i + 1:3d}] loss: {recent:.3f} acc: {100.0 * correct / total:.1f}%")
    scheduler.step()

    net.eval()
    correct = 0
    with torch.no_grad():
        for inputs, labels in test_loader:
            correct += (net(inputs).argmax(1) == labels).sum().item()
    test_accs.append(correct / 200)
    print(f"epoch {epoch + 1}: test acc {test_accs[-1]:.3f}")

print("Finished Training, best acc", max(test_accs))
