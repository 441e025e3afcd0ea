# gradwatch-corpus: kind=graph-chain
# holder: running_loss
# first-bad: 1
# Homework 2: softmax regression on digits
import torch
import torch.nn as nn

torch.manual_seed(0)

input_size = 64
num_classes = 10
num_epochs = 3
batch_size = 20
learning_rate = 1e-4


class Digits(torch.utils.data.Dataset):
    def __init__(self, n, train=True):
        g = torch.Generator().manual_seed(11)
        templates = torch.rand(num_classes, 8, 8, generator=g)
        g = torch.Generator().manual_seed(1 if train else 2)
        self.labels = torch.randint(0, num_classes, (n,), generator=g)
        noise = 0.3 * torch.randn(n, 8, 8, generator=g)
        self.images = (templates[self.labels] + noise).clamp(0, 1)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i].unsqueeze(0), self.labels[i]


train_dataset = Digits(3000)
test_dataset = Digits(500, train=False)

train_loader = torch.utils.data.DataLoader(train_dataset, batch_size=batch_size, shuffle=True)
test_loader = torch.utils.data.DataLoader(test_dataset, batch_size=100, shuffle=False)

# Logistic regression model
model = nn.Linear(input_size, num_classes)

# nn.CrossEntropyLoss() computes softmax internally
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)

total_step = len(train_loader)
running_loss = 0
steps_done = 0
for epoch in range(num_epochs):
    for i, (images, labels) in enumerate(train_loader):
        images = images.reshape(-1, input_size)

        # Forward pass
        outputs = model(images)
        loss = criterion(outputs, labels)
        running_loss = running_loss + loss  # <- culprit
        steps_done += 1

        # Backward and optimize
        optimizer.zero_grad()
        running_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()

        if (i + 1) % 50 == 0:
            print("Epoch [{}/{}], Step [{}/{}], Loss: {:.4f}".format(
                epoch + 1, num_epochs, i + 1, total_step, running_loss.item() / steps_done))

# Test the model
with torch.no_grad():
    correct = 0
    total = 0
    for images, labels in test_loader:
        images = images.reshape(-1, input_size)
        outputs = model(images)
        _, predicted = torch.max(outputs.data, 1)
        total += labels.size(0)
        correct += (predicted == labels).sum()

    print("Accuracy of the model on the test images: {:.1f} %".format(100 * correct.item() / total))
