# gradwatch-corpus: kind=graph-held
# holder: stats["train"] | stats
# first-bad: 1
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)
random.seed(42)

# hyper parameters
batch_size = 32
num_classes = 10
epochs = 10
lr = 0.01

# fake fashion data, 1x14x14 pictures
protos = torch.randn(num_classes, 1, 14, 14)
y_all = torch.randint(0, num_classes, (1600,))
x_all = protos[y_all] + 0.8 * torch.randn(1600, 1, 14, 14)
x_train, y_train = x_all[:1440], y_all[:1440]
x_test, y_test = x_all[1440:], y_all[1440:]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(16 * 3 * 3, num_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = self.drop(x.flatten(1))
        return self.fc(x)


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)

stats = {"train": [], "test": []}

for epoch in range(epochs):
    net.train()
    order = torch.randperm(len(x_train))
    correct = 0
    for start in range(0, len(order), batch_size):
        idx = order[start:start + batch_size]
        inputs, labels = x_train[idx], y_train[idx]

        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()

        pred = outputs.argmax(1)
        correct += (pred == labels).sum().item()
        stats["train"].append((epoch, start // batch_size, loss))  # <- culprit

    net.eval()
    with torch.no_grad():
        out = net(x_test)
        test_loss = criterion(out, y_test).item()
        test_acc = (out.argmax(1) == y_test).float().mean().item()
    stats["test"].append((epoch, test_loss, test_acc))
    print("epoch %d  train acc %.3f  test loss %.4f  test acc %.3f"
          % (epoch, correct / len(x_train), test_loss, test_acc))

best = max(stats["test"], key=lambda r: r[2])
print("best epoch", best[0], "acc", best[2])
first = stats["train"][0]
last = stats["train"][-1]
print("first batch loss %.4f, last batch loss %.4f" % (first[2], last[2]))
