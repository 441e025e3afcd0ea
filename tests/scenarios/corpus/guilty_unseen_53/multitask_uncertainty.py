# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | weigher.smooth
# first-bad: 1
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(11)
np.random.seed(11)


class FaceDataset(Dataset):
    """age (regression), gender (binary), mood (4 classes)"""

    def __init__(self, n):
        self.x = np.random.randn(n, 24).astype("float32")
        w = np.random.randn(24, 6).astype("float32") / 5
        z = self.x @ w
        self.age = z[:, 0] + 0.1 * np.random.randn(n).astype("float32")
        self.gender = (z[:, 1] > 0).astype("float32")
        self.mood = z[:, 2:].argmax(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.age[i], self.gender[i], self.mood[i]


class MultiTaskNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.age = nn.Linear(32, 1)
        self.gender = nn.Linear(32, 1)
        self.mood = nn.Linear(32, 4)

    def forward(self, x):
        f = self.trunk(x)
        return self.age(f).squeeze(1), self.gender(f).squeeze(1), self.mood(f)


class UncertaintyWeigher(nn.Module):
    """Kendall et al. 2018, plus a pull towards the slow average of the weights
    because they jumped around a lot."""

    def __init__(self, n_tasks, tau=0.05, pull=0.5):
        super().__init__()
        self.log_vars = nn.Parameter(torch.zeros(n_tasks))
        self.smooth = None
        self.tau = tau
        self.pull = pull

    def forward(self, losses):
        if self.smooth is None:
            self.smooth = self.log_vars.clone()  # <- culprit
        else:
            self.smooth = torch.lerp(self.smooth, self.log_vars, self.tau)  # <- culprit
        total = (torch.exp(-self.log_vars) * torch.stack(losses) + self.log_vars).sum()
        return total + self.pull * (self.log_vars - self.smooth).pow(2).sum()


train_loader = DataLoader(FaceDataset(800), batch_size=32, shuffle=True)
model = MultiTaskNet()
weigher = UncertaintyWeigher(3)
optimizer = torch.optim.Adam(list(model.parameters()) + list(weigher.parameters()), lr=3e-3)

train_losses = []
for epoch in range(5):
    running_loss = 0.0
    correct = total = 0
    for x, age, gender, mood in train_loader:
        optimizer.zero_grad()
        p_age, p_gender, p_mood = model(x)
        loss = weigher([
            F.mse_loss(p_age, age),
            F.binary_cross_entropy_with_logits(p_gender, gender),
            F.cross_entropy(p_mood, mood),
        ])
        loss.backward()
        optimizer.step()

        running_loss += loss.item() * x.size(0)
        correct += (p_mood.argmax(1) == mood).sum().item()
        total += x.size(0)
    train_losses.append(running_loss / total)
    print(f"Epoch {epoch + 1}: loss {train_losses[-1]:.4f}, mood acc {100 * correct / total:.1f}%, "
          f"weights {torch.exp(-weigher.log_vars).detach().numpy().round(3)}")
