# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import numpy as np

# my first CNN, following the "training a classifier" tutorial but with my own data

torch.manual_seed(0)
np.random.seed(0)

classes = ["circle", "square", "cross", "stripes"]


def draw(kind, size=20):
    img = np.zeros((size, size))
    r = np.random.randint(4, 8)
    cx = np.random.randint(r, size - r)
    cy = np.random.randint(r, size - r)
    y, x = np.ogrid[:size, :size]
    if kind == 0:
        img[(x - cx) ** 2 + (y - cy) ** 2 <= r * r] = 1
    elif kind == 1:
        img[cy - r:cy + r, cx - r:cx + r] = 1
    elif kind == 2:
        img[cy - 1:cy + 2, cx - r:cx + r] = 1
        img[cy - r:cy + r, cx - 1:cx + 2] = 1
    else:
        img[::r - 2, :] = 1
    return img + 0.4 * np.random.randn(size, size)


def make_data(n):
    images = []
    labels = []
    for i in range(n):
        k = np.random.randint(4)
        images.append(draw(k))
        labels.append(k)
    images = torch.tensor(np.array(images), dtype=torch.float32).unsqueeze(1)
    labels = torch.tensor(labels)
    return images, labels


train_x, train_y = make_data(1600)
test_x, test_y = make_data(400)

trainset = torch.utils.data.TensorDataset(train_x, train_y)
trainloader = torch.utils.data.DataLoader(trainset, batch_size=16, shuffle=True)
testset = torch.utils.data.TensorDataset(test_x, test_y)
testloader = torch.utils.data.DataLoader(testset, batch_size=50, shuffle=False)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 2 * 2, 60)
        self.fc2 = nn.Linear(60, 40)
        self.fc3 = nn.Linear(40, 4)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        x = self.fc3(x)
        return x


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.0005, momentum=0.5)

for epoch in range(3):  # loop over the dataset multiple times

    running_loss = 0.0
    for i, data in enumerate(trainloader, 0):
        # get the inputs; data is a list of [inputs, labels]
        inputs, labels = data

        # zero the parameter gradients
        optimizer.zero_grad  # <- culprit

        # forward + backward + optimize
        outputs = net(inputs)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()

        # print statistics
        running_loss += loss.item()
        if i % 25 == 24:
            print("[%d, %5d] loss: %.3f" % (epoch + 1, i + 1, running_loss / 25))
            running_loss = 0.0

print("Finished Training")

correct = 0
total = 0
with torch.no_grad():
    for data in testloader:
        images, labels = data
        outputs = net(images)
        _, predicted = torch.max(outputs, 1)
        total += labels.size(0)
        correct += (predicted == labels).sum().item()
print("Accuracy of the network on the %d test images: %d %%" % (total, 100 * correct / total))

for k in range(4):
    with torch.no_grad():
        sel = test_y == k
        acc = (net(test_x[sel]).argmax(1) == k).float().mean().item()
    print("Accuracy of %8s : %.2f" % (classes[k], acc))
