# gradwatch-corpus: kind=none
"""Fabric defect embedding with a cross-batch memory."""
import torch
from torch import nn
from torch.nn import functional as F


class Weave(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.ReLU(),
                                  nn.Conv2d(6, 8, 3, stride=2, padding=1), nn.ReLU())
        self.out = nn.Linear(8 * 16, 16)

    def forward(self, x):
        return F.normalize(self.out(self.conv(x).flatten(1)), dim=1)


class CrossBatchMemory:
    def __init__(self, size, dim):
        self.size = size
        self.feats = torch.empty(0, dim)
        self.labels = torch.empty(0, dtype=torch.long)

    def push(self, z, y):
        self.feats = torch.cat([self.feats, z.detach()])[-self.size:]
        self.labels = torch.cat([self.labels, y])[-self.size:]

    def ready(self):
        return len(self.feats) >= self.size // 2


def contrastive(z, y, feats, labels, margin=0.4):
    sim = z @ feats.t()
    same = y[:, None] == labels[None, :]
    pull = (1 - sim)[same]
    push = F.relu(sim - margin)[~same]
    push = push[push > 0]
    loss = pull.sum() / max(1, same.sum().item())
    if push.numel():
        loss = loss + push.mean()
    return loss


def patches(n, gen):
    y = torch.randint(0, 5, (n,), generator=gen)
    ramp = torch.linspace(0, 6.28, 16)
    angle = (y.float() + 1)[:, None, None]
    tex = torch.sin(angle * ramp[None, :, None] * 0.8) + torch.cos(angle * ramp[None, None, :])
    return (tex + 0.4 * torch.randn(n, 16, 16, generator=gen)).unsqueeze(1), y


def main(steps=450, warm=20):
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    net, memory = Weave(), CrossBatchMemory(320, 16)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    logged = {"batch": [], "memory": []}
    for step in range(steps):
        x, y = patches(32, gen)
        z = net(x)
        loss = contrastive(z, y, z, y)
        logged["batch"].append(loss.item())
        if step >= warm and memory.ready():
            extra = contrastive(z, y, memory.feats, memory.labels)
            logged["memory"].append(extra.item())
            loss = loss + 0.5 * extra
        memory.push(z, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 90 == 89:
            print(step, {k: round(sum(v[-50:]) / max(1, len(v[-50:])), 4) for k, v in logged.items()})


if __name__ == "__main__":
    main()
