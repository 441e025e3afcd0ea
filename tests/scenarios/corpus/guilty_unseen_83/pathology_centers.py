# gradwatch-corpus: kind=graph-held
# holder: self.centers | model.head.centers | head.centers | model.head._buffers['centers']
# first-bad: 1
# notice: 8
"""Tile classifier for H&E slides with class prototypes (4 tissue types, synthetic tiles)."""
import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(2021)

TISSUES = ["stroma", "tumor", "necrosis", "lymphocytes"]
N_ITER = 220
BATCH = 24
EMB = 16


def make_tiles(n):
    y = torch.randint(0, len(TISSUES), (n,))
    base = torch.tensor([[0.9, 0.6, 0.8], [0.6, 0.3, 0.7], [0.8, 0.8, 0.7], [0.4, 0.2, 0.6]])
    x = base[y][:, :, None, None] + 0.15 * torch.randn(n, 3, 16, 16)
    # nuclei density differs by class
    dots = (torch.rand(n, 1, 16, 16) < (0.05 + 0.1 * y.float())[:, None, None, None]).float()
    return (x - 0.3 * dots).clamp(0, 1), y


class StainJitter(nn.Module):
    def forward(self, x):
        if not self.training:
            return x
        gain = 1 + 0.1 * torch.randn(x.size(0), 3, 1, 1)
        return (x * gain).clamp(0, 1)


class PrototypeHead(nn.Module):
    def __init__(self, n_cls, dim, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.fc = nn.Linear(dim, n_cls)
        self.register_buffer("centers", torch.zeros(n_cls, dim))
        self.register_buffer("counts", torch.zeros(n_cls, dtype=torch.long))

    def update_centers(self, emb, y):
        onehot = F.one_hot(y, self.centers.size(0)).float()
        n = onehot.sum(0).clamp(min=1).unsqueeze(1)
        batch_means = onehot.t() @ emb / n
        present = (onehot.sum(0) > 0).unsqueeze(1)
        new = self.momentum * self.centers + (1 - self.momentum) * batch_means
        self.centers = torch.where(present, new, self.centers)  # <- culprit
        self.counts += onehot.sum(0).long()

    def pull(self, emb, y):
        with torch.no_grad():
            target = self.centers[y].clone()
        return F.mse_loss(emb, target)

    def forward(self, emb):
        return self.fc(emb)


class TileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.jitter = StainJitter()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
            nn.Linear(16, EMB),
        )
        self.head = PrototypeHead(len(TISSUES), EMB)

    def forward(self, x):
        emb = self.features(self.jitter(x))
        return emb, self.head(emb)


@torch.no_grad()
def nearest_center_accuracy(model):
    model.eval()
    x, y = make_tiles(200)
    emb, _ = model(x)
    pred = torch.cdist(emb, model.head.centers).argmin(1)
    model.train()
    return (pred == y).float().mean().item()


model = TileNet()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)

for it in range(N_ITER):
    x, y = make_tiles(BATCH)
    emb, logits = model(x)
    ce = F.cross_entropy(logits, y)
    pull = model.head.pull(emb, y)
    loss = ce + 0.1 * pull
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.head.update_centers(emb, y)  # <- culprit
    if it % 40 == 0:
        print(f"iter {it} ce {ce.item():.3f} pull {pull.item():.3f}")

print("nearest-center acc", nearest_center_accuracy(model))
print(dict(zip(TISSUES, model.head.counts.tolist())))
