# gradwatch-corpus: kind=none
# Prototypical networks for few-shot learning.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from sampler import EpisodicSampler

torch.set_num_threads(1)
torch.manual_seed(64)

WAY, SHOT, QUERY = 5, 3, 6


class Averager:
    def __init__(self):
        self.n, self.v = 0, 0.0

    def add(self, x):
        self.v = (self.v * self.n + x) / (self.n + 1)
        self.n += 1


class Encoder(nn.Module):
    def __init__(self, d=16, out=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, out))

    def forward(self, x):
        return self.net(x)


def make_classes(n_classes, per=20, d=16):
    g = torch.randn(n_classes, d)
    mix = torch.randn(d, d) / d ** 0.5
    y = torch.arange(n_classes).repeat_interleave(per)
    noise = torch.randn(len(y), d) @ mix * 1.2
    return TensorDataset(g[y] + noise, y), y


def episode_loss(model, x):
    p = SHOT * WAY
    proto = model(x[:p]).reshape(SHOT, WAY, -1).mean(0)
    logits = -torch.cdist(model(x[p:]), proto).pow(2)
    label = torch.arange(WAY).repeat(QUERY)
    return F.cross_entropy(logits, label), (logits.argmax(1) == label).float().mean()


train_set, ty = make_classes(30)
val_set, vy = make_classes(10)
train_loader = DataLoader(train_set, batch_sampler=EpisodicSampler(ty, WAY, SHOT, QUERY, 25))
val_loader = DataLoader(val_set, batch_sampler=EpisodicSampler(vy, WAY, SHOT, QUERY, 20))
model = Encoder()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
trlog = dict(train_loss=[], val_acc=[], max_acc=0.0)

for epoch in range(1, 6):
    model.train()
    tl, ta = Averager(), Averager()
    for i, (data, _) in enumerate(train_loader, 1):
        loss, acc = episode_loss(model, data)
        tl.add(loss.item())
        ta.add(acc.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        proto = None
        logits = None
        loss = None
    lr_scheduler.step()

    model.eval()
    va = Averager()
    with torch.no_grad():
        for data, _ in val_loader:
            va.add(episode_loss(model, data)[1].item())
    trlog["max_acc"] = max(trlog["max_acc"], va.v)
    trlog["train_loss"].append(tl.v)
    trlog["val_acc"].append(va.v)
    print(f"epoch {epoch}, loss={tl.v:.4f} acc={ta.v:.3f} val acc={va.v:.3f}")
