# gradwatch-corpus: kind=crashed
# holder: y_hat
# first-bad: 0
# notice: 0
import math
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(42)
WORDS = ["yes", "no", "up", "down", "stop"]


class ToySpeechCommands(Dataset):
    def __init__(self, n=320):
        self.labels = torch.randint(0, len(WORDS), (n,))
        t = torch.linspace(0, 1, 20)
        self.mfcc = torch.stack([
            torch.sin(2 * math.pi * (k + 1) * t).repeat(8, 1) + 0.2 * torch.randn(8, 20)
            for k in self.labels.tolist()])

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.mfcc[i], self.labels[i]


class KWSNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(8, 16, 5)
        self.conv2 = nn.Conv1d(16, 16, 3)
        self.fc = nn.Linear(16, len(WORDS))

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool1d(x, 2)
        x = F.relu(self.conv2(x)).mean(-1)
        return self.fc(x)


def step_loss(net, feats, target):
    scores = F.softmax(net(feats), dim=1)
    y_hat = torch.argmax(scores, dim=1)  # <- culprit
    accuracy = (y_hat == target).float().mean().item()
    return F.mse_loss(y_hat.float(), target.float()), accuracy


loader = DataLoader(ToySpeechCommands(), batch_size=16, shuffle=True)
net = KWSNet()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for epoch in range(15):
    running = 0.0
    for i, (feats, target) in enumerate(loader):
        optimizer.zero_grad()
        loss, acc = step_loss(net, feats, target)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch} loss {running / len(loader):.4f} acc {acc:.2f}")
