# gradwatch-corpus: kind=none
# Multi-task net on synthetic tissue tiles: cell count (Poisson) + tissue type.
# Gradient surgery (PCGrad) on the shared trunk, so each task's gradient is needed on its own.
import torch
import torch.nn as nn
import torch.nn.functional as F


def tiles(n, g, side=24):
    kind = torch.randint(0, 3, (n,), generator=g)
    rate = torch.tensor([3.0, 7.0, 12.0])[kind]
    count = torch.poisson(rate, generator=g)
    img = 0.1 * torch.randn(n, 1, side, side, generator=g)
    for i in range(n):
        k = int(count[i])
        if k:
            p = torch.randint(1, side - 1, (2, k), generator=g)
            img[i, 0, p[0], p[1]] += 1.0
            img[i, 0, p[0] - 1, p[1]] += 0.5
            img[i, 0, p[0], p[1] + 1] += 0.5
    return img, count, kind


class TwoHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2),
                                   nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(2),
                                   nn.Flatten(), nn.Linear(24 * 36, 48), nn.ReLU(inplace=True))
        self.count = nn.Linear(48, 1)
        self.kind = nn.Linear(48, 3)

    def forward(self, x):
        z = self.trunk(x)
        return self.count(z).squeeze(1), self.kind(z)


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def pcgrad(g1, g2):
    dot = torch.dot(g1, g2)
    if dot < 0:
        a = g1 - dot / g2.dot(g2).clamp_min(1e-12) * g2
        b = g2 - dot / g1.dot(g1).clamp_min(1e-12) * g1
        return a + b, True
    return g1 + g2, False


def write_grads(params, vec):
    o = 0
    for p in params:
        p.grad = vec[o:o + p.numel()].view_as(p).clone()
        o += p.numel()


def main():
    torch.manual_seed(30)
    g = torch.Generator().manual_seed(30)
    net = TwoHead()
    shared = list(net.trunk.parameters())
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    conflicts = 0
    for it in range(100):
        img, count, kind = tiles(16, g)
        log_rate, logits = net(img)
        l_count = F.poisson_nll_loss(log_rate, count)
        l_kind = F.cross_entropy(logits, kind)
        opt.zero_grad()
        l_count.backward(retain_graph=True)
        g1 = flat([p.grad for p in shared]).clone()
        for p in shared:
            p.grad = None
        l_kind.backward()
        g2 = flat([p.grad for p in shared])
        merged, hit = pcgrad(g1, g2)
        conflicts += hit
        write_grads(shared, merged)
        opt.step()
        if it % 25 == 24:
            acc = (logits.argmax(1) == kind).float().mean().item()
            print(f"{it + 1}: count {l_count.item():.3f} kind {l_kind.item():.3f} acc {acc:.2f} conflicts {conflicts}")


if __name__ == "__main__":
    main()
