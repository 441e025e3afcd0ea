# gradwatch-corpus: kind=graph-chain
# holder: self.running_prior | criterion.running_prior
# first-bad: 1
# %% [markdown]
# # Linear probe on frozen backbone features with a class-balance term
# %%
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2025)
NUM_CLASSES = 6
FEATURE_DIM = 40
EPOCHS = 6

# %%
class FrozenBackbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 10, 3, padding=1)
        self.proj = nn.Linear(10 * 16, FEATURE_DIM)
        for p in self.parameters():
            p.requires_grad = False

    def forward(self, images):
        maps = F.adaptive_avg_pool2d(F.relu(self.stem(images)), 4)
        return self.proj(maps.flatten(1))

# %%
class BalancedCrossEntropy(nn.Module):
    """Cross entropy plus KL between the smoothed predicted prior and uniform."""

    def __init__(self, num_classes, weight=0.5, momentum=0.95):
        super().__init__()
        self.weight = weight
        self.momentum = momentum
        self.num_classes = num_classes
        self.running_prior = torch.full((num_classes,), 1.0 / num_classes)

    def forward(self, logits, target):
        ce = F.cross_entropy(logits, target)
        batch_prior = logits.softmax(-1).mean(0)
        blended = self.momentum * self.running_prior + (1 - self.momentum) * batch_prior  # <- culprit
        kl = (blended * (blended * self.num_classes).log()).sum()
        self.running_prior = blended  # <- culprit
        return ce + self.weight * kl

# %%
labels = torch.randint(0, NUM_CLASSES, (480,))
class_tint = torch.randn(NUM_CLASSES, 3, 1, 1)
images = torch.randn(480, 3, 12, 12) * 0.7 + class_tint[labels]
loader = DataLoader(TensorDataset(images, labels), batch_size=32, shuffle=True)

backbone = FrozenBackbone().eval()
head = nn.Linear(FEATURE_DIM, NUM_CLASSES)
criterion = BalancedCrossEntropy(NUM_CLASSES)
optimizer = torch.optim.SGD(head.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)

# %%
for epoch in range(EPOCHS):
    hits = 0
    seen = 0
    total = 0.0
    for batch_images, batch_labels in loader:
        with torch.no_grad():
            feats = backbone(batch_images)
        logits = head(feats)
        loss = criterion(logits, batch_labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        total += loss.item() * len(batch_labels)
        hits += (logits.argmax(-1) == batch_labels).sum().item()
        seen += len(batch_labels)
    scheduler.step()
    print(f"epoch {epoch}: loss {total / seen:.4f} acc {hits / seen:.3f}")
