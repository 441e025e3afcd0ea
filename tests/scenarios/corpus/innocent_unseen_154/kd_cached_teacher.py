# gradwatch-corpus: kind=none
"""Knowledge distillation; teacher logits are computed lazily once and cached per sample."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(55)


class Rings(Dataset):
    def __init__(self, n):
        self.y = torch.randint(0, 3, (n,))
        r = 1.0 + self.y.float() + 0.25 * torch.randn(n)
        a = torch.rand(n) * 6.2832
        self.x = torch.stack([r * a.cos(), r * a.sin()], 1)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i], i


class TeacherCache:
    def __init__(self, teacher):
        self.teacher = teacher.eval()
        self.store = {}
        self.hits = 0

    @torch.no_grad()
    def __call__(self, x, idx):
        missing = [j for j, i in enumerate(idx.tolist()) if i not in self.store]
        self.hits += len(idx) - len(missing)
        if missing:
            out = self.teacher(x[missing])
            for j, o in zip(missing, out):
                self.store[int(idx[j])] = o
        return torch.stack([self.store[i] for i in idx.tolist()])


class KDLoss(nn.Module):
    def __init__(self, T=4.0, alpha=0.8):
        super().__init__()
        self.T, self.alpha = T, alpha

    def forward(self, s, t, y):
        soft = F.kl_div(F.log_softmax(s / self.T, 1), F.softmax(t / self.T, 1), reduction="batchmean")
        return self.alpha * self.T ** 2 * soft + (1 - self.alpha) * F.cross_entropy(s, y)


def fit(net, loader, epochs, lr, loss_fn):
    opt = torch.optim.Adam(net.parameters(), lr)
    history = []
    for _ in range(epochs):
        running = torch.zeros(())
        for x, y, i in loader:
            opt.zero_grad()
            loss = loss_fn(net, x, y, i)
            loss.backward()
            opt.step()
            running += loss.detach()
        history.append(running.item() / len(loader))
    return history


def net(width):
    return nn.Sequential(nn.Linear(2, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 3))


train = DataLoader(Rings(320), batch_size=32, shuffle=True)
test = Rings(300)
teacher, student = net(64), net(8)
fit(teacher, train, 10, 5e-3, lambda n, x, y, i: F.cross_entropy(n(x), y))
cache, kd = TeacherCache(teacher), KDLoss()
hist = fit(student, train, 15, 5e-3, lambda n, x, y, i: kd(n(x), cache(x, i), y))
with torch.no_grad():
    for name, m in (("teacher", teacher), ("student", student)):
        print(name, (m(test.x).argmax(1) == test.y).float().mean().item())
print("first/last kd loss", hist[0], hist[-1], "cache hits", cache.hits)
