# gradwatch-corpus: kind=graph-chain
# holder: self.smooth_protos | model.smooth_protos
# first-bad: 1
"""Two-view clustering with learnable prototypes; assignments use a smoothed copy of them."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)


class Encoder(nn.Module):
    def __init__(self, c_in=1, dim=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(c_in, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        )
        self.proj = nn.Linear(64, dim)

    def forward(self, x):
        return F.normalize(self.proj(self.conv(x)), dim=-1)


class SwAVLite(nn.Module):
    def __init__(self, k=20, dim=32, smooth=0.1, temp=0.1):
        super().__init__()
        self.encoder = Encoder(dim=dim)
        self.prototypes = nn.Parameter(torch.randn(k, dim))
        self.smooth_protos = torch.zeros(k, dim)
        self.smooth = smooth
        self.temp = temp

    def update_prototypes(self):
        self.smooth_protos = torch.lerp(self.smooth_protos, self.prototypes, self.smooth)  # <- culprit

    def scores(self, x):
        return self.encoder(x) @ F.normalize(self.smooth_protos, dim=-1).t()

    def forward(self, view_a, view_b):
        self.update_prototypes()
        sa, sb = self.scores(view_a), self.scores(view_b)
        with torch.no_grad():
            qa, qb = sinkhorn(sa), sinkhorn(sb)
        la = -(qb * F.log_softmax(sa / self.temp, -1)).sum(-1).mean()
        lb = -(qa * F.log_softmax(sb / self.temp, -1)).sum(-1).mean()
        return 0.5 * (la + lb)


def sinkhorn(scores, eps=0.1, n_iter=3):
    q = torch.exp(scores / eps).t()
    q /= q.sum()
    k, b = q.shape
    for _ in range(n_iter):
        q /= q.sum(1, keepdim=True) * k
        q /= q.sum(0, keepdim=True) * b
    return (q * b).t()


def augment(x):
    x = torch.roll(x, shifts=(int(torch.randint(-2, 3, ())), int(torch.randint(-2, 3, ()))), dims=(2, 3))
    return x + 0.1 * torch.randn_like(x)


base = torch.randn(10, 1, 16, 16)
model = SwAVLite()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for it in range(100):
    labels = torch.randint(0, 10, (48,))
    images = base[labels]
    loss = model(augment(images), augment(images))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 25 == 0:
        print(f"iter {it} swav loss {loss.item():.4f}")
