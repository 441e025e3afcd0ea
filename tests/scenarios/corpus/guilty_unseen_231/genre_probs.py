# gradwatch-corpus: kind=graph-held
# holder: probs_by_genre
# first-bad: 1
# Genre classification on (synthetic) mel spectrograms, adapted from the CIFAR10 tutorial
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.manual_seed(1)

genres = ("blues", "jazz", "metal", "techno")
n_mels = 16
n_frames = 32


def make_batch(n=8):
    labels = torch.randint(0, 4, (n,))
    t = torch.arange(n_frames).float()
    mel = torch.randn(n, 1, n_mels, n_frames) * 0.5
    for k in range(n):
        g = labels[k].item()
        beat = torch.sin(t * (0.4 + 0.5 * g))
        mel[k, 0, 3 * g:3 * g + 4] += beat
    return mel, labels


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv1 = nn.Conv2d(1, 6, 3, padding=1)
        self.pool = nn.MaxPool2d(2, 2)
        self.conv2 = nn.Conv2d(6, 12, 3, padding=1)
        self.fc1 = nn.Linear(12 * 4 * 8, 48)
        self.fc2 = nn.Linear(48, 4)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = x.view(-1, 12 * 4 * 8)
        x = F.relu(self.fc1(x))
        return self.fc2(x)


net = Net()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.02, momentum=0.9)

probs_by_genre = {g: [] for g in genres}
running_loss = 0.0

for i in range(120):
    inputs, labels = make_batch()
    optimizer.zero_grad()
    outputs = net(inputs)
    loss = criterion(outputs, labels)
    loss.backward()
    optimizer.step()

    running_loss += loss.item()
    confidences = F.softmax(outputs, dim=1)
    for row, label in zip(confidences, labels):
        probs_by_genre[genres[label]].append(row[label])  # <- culprit

    if i % 30 == 29:
        print("[%5d] loss: %.3f" % (i + 1, running_loss / 30))
        running_loss = 0.0

print("Finished Training")
for g in genres:
    p = probs_by_genre[g]
    print("%8s  mean confidence %.3f over %d clips" % (g, sum(float(v) for v in p) / len(p), len(p)))
