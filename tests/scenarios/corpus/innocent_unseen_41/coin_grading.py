# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

GRADES, PATCH, DIM = 6, 64, 24


class FrozenBackbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(PATCH, 96), nn.GELU(), nn.Linear(96, 48))
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        return self.net(x)


class Adapter(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.up = nn.Linear(48, 12), nn.Linear(12, 48)
        self.head = nn.Linear(48, DIM)

    def forward(self, f):
        return F.normalize(self.head(f + self.up(F.relu(self.down(f)))), dim=-1)


class Cabinet:
    """Coin photos, encoded once, plus slow prototypes used as an anchor."""

    def __init__(self, backbone, per_grade=60):
        centers = torch.randn(GRADES, PATCH)
        self.labels = torch.arange(GRADES).repeat_interleave(per_grade)
        photos = centers[self.labels] + 1.2 * torch.randn(len(self.labels), PATCH)
        self.encoded = {i: backbone(p) for i, p in enumerate(photos)}
        self.slow = None

    def take(self, per_grade):
        picks = [torch.nonzero(self.labels == g).flatten()[torch.randperm(60)[:per_grade]] for g in range(GRADES)]
        idx = torch.cat(picks)
        feats = torch.stack([self.encoded[int(i)] for i in idx])
        return feats, self.labels[idx]

    def drift(self, protos, m=0.95):
        now = protos.detach()
        self.slow = now if self.slow is None else m * self.slow + (1 - m) * now


def prototypes(adapter, feats, labels):
    emb = adapter(feats)
    return torch.stack([emb[labels == g].mean(0) for g in range(GRADES)])


def episode(adapter, cabinet, scale=8.0):
    protos = prototypes(adapter, *cabinet.take(per_grade=5))
    feats, labels = cabinet.take(per_grade=8)
    logits = scale * adapter(feats) @ protos.t()
    loss = F.cross_entropy(logits, labels)
    if cabinet.slow is not None:
        loss = loss + 0.1 * F.mse_loss(protos, cabinet.slow)
    cabinet.drift(protos)
    return loss, (logits.argmax(1) == labels).float().mean()


def main():
    torch.manual_seed(33)
    cabinet = Cabinet(FrozenBackbone())
    adapter = Adapter()
    opt = torch.optim.AdamW(adapter.parameters(), lr=3e-3)
    window = []
    for it in range(1, 161):
        loss, acc = episode(adapter, cabinet)
        opt.zero_grad()
        loss.backward()
        opt.step()
        window.append((loss.item(), acc.item()))
        if it % 40 == 0:
            ls, ac = zip(*window)
            print(f"episode {it}  loss {sum(ls) / len(ls):.4f}  acc {sum(ac) / len(ac):.3f}")
            window = []


main()
