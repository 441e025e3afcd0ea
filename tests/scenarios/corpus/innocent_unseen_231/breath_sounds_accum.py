# gradwatch-corpus: kind=none
# Crackles in lung sounds. My laptop only fits batches of 4, so gradients are summed over 8 of them.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(33)

accumulation_steps = 8
small_batch = 4
n_small = 160


def lung(n):
    y = (torch.rand(n) < 0.5).float()
    x = torch.randn(n, 1, 400).cumsum(-1) * 0.02
    for k in range(n):
        if y[k] > 0:
            for _ in range(4):
                p = torch.randint(0, 390, (1,)).item()
                x[k, 0, p:p + 6] += torch.tensor([0.5, -1.0, 1.2, -0.9, 0.6, -0.2])
    return x, y


class SoundNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 12, 9, stride=2)
        self.conv2 = nn.Conv1d(12, 12, 5, stride=2)
        self.norm = nn.GroupNorm(3, 12)
        self.fc = nn.Linear(24, 1)

    def forward(self, x):
        x = F.relu(self.conv(x))
        x = F.relu(self.norm(self.conv2(x)))
        both = torch.cat([x.mean(-1), x.amax(-1)], 1)
        return self.fc(both).squeeze(1)


class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        bce = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        pt = torch.exp(-bce)
        return ((1 - pt) ** self.gamma * bce).mean()


model = SoundNet()
criterion = FocalLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
running_loss = 0
running_correct = 0
steps = 0

optimizer.zero_grad()
for i in range(n_small):
    x, y = lung(small_batch)
    logits = model(x)
    loss = criterion(logits, y)
    (loss / accumulation_steps).backward()
    running_loss += loss.data
    running_correct += ((logits > 0).float() == y).sum()

    if (i + 1) % accumulation_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
        steps += 1
        if steps % 4 == 0:
            n = accumulation_steps * 4
            print("update %3d  loss %.4f  acc %.3f" % (steps, running_loss / n, running_correct.item() / (n * small_batch)))
            running_loss = 0
            running_correct = 0
