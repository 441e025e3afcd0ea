# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(85)


class WarmBank:
    """Collects features of the first batches, then stays as it is."""

    def __init__(self, warmup):
        self.warmup = warmup
        self.feats, self.labels = [], []

    @property
    def full(self):
        return len(self.feats) >= self.warmup

    def offer(self, z, y):
        if not self.full:
            self.feats.append(z.detach().clone())
            self.labels.append(y)

    def means(self, n_cls):
        z, y = torch.cat(self.feats), torch.cat(self.labels)
        return torch.stack([z[y == c].mean(0) for c in range(n_cls)])


class ProtoNet(nn.Module):
    def __init__(self, n_cls, dim=64):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, dim))
        self.head = nn.Linear(dim, n_cls)
        self.register_buffer("anchors", torch.zeros(n_cls, dim))

    def forward(self, x):
        z = self.embed(x)
        return z, self.head(z)


def episodes(n, n_cls, batch):
    centre = torch.randn(n_cls, 20)
    for _ in range(n):
        y = torch.randint(0, n_cls, (batch,))
        yield centre[y] + torch.randn(batch, 20), y


def train(n_cls=4):
    net, bank = ProtoNet(n_cls), WarmBank(warmup=15)
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    stay = []
    for it, (x, y) in enumerate(episodes(120, n_cls, batch=512)):
        z, out = net(x)
        loss = F.cross_entropy(out, y)
        if bank.full:
            drift = (F.normalize(z, dim=1) - F.normalize(net.anchors[y], dim=1)).pow(2).sum(1).mean()
            stay.append(drift.item())
            loss = loss + 0.2 * drift
        else:
            bank.offer(z, y)
            if bank.full:
                net.anchors.copy_(bank.means(n_cls))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 29:
            print(it, f"loss {loss.item():.3f} drift {stay[-1]:.3f}")


train()
