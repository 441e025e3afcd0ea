# gradwatch-corpus: kind=none
"""Leaf images vs attribute descriptions: class bank rebuilt each few steps, hard examples replayed."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES, ATTR, SIDE = 6, 8, 10


def leaves(n, attrs):
    y = torch.randint(0, CLASSES, (n,))
    base = attrs[y] @ _render
    img = base.view(n, 1, SIDE, SIDE)
    return img + 0.6 * torch.randn(n, 1, SIDE, SIDE), y


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a, self.b = nn.Conv2d(c, c, 3, padding=1, bias=False), nn.Conv2d(c, c, 3, padding=1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(c), nn.BatchNorm2d(c)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        out = self.act(self.na(self.a(x)))
        out = self.nb(self.b(out))
        out += x
        return self.act(out)


class ImageNet(nn.Module):
    def __init__(self, c=6, d=12):
        super().__init__()
        self.stem = nn.Conv2d(1, c, 3, padding=1)
        self.body = nn.Sequential(Residual(c), Residual(c), nn.AvgPool2d(5), nn.Flatten())
        self.drop = nn.Dropout(0.1, inplace=True)
        self.out = nn.Linear(4 * c, d)

    def forward(self, x):
        h = self.out(self.body(self.stem(x)))
        return F.normalize(self.drop(h), dim=1)


class ClassBank:
    """Slow copy of the attribute embeddings, used for hard-example mining only."""

    def __init__(self, encoder, attrs):
        self.encoder, self.attrs = encoder, attrs
        self.vectors = torch.zeros(CLASSES, 12)
        self.refresh()

    @torch.no_grad()
    def refresh(self):
        self.vectors.copy_(F.normalize(self.encoder(self.attrs), dim=1))

    def margin(self, z, y):
        s = z.detach() @ self.vectors.t()
        right = s.gather(1, y[:, None]).squeeze(1)
        s.scatter_(1, y[:, None], float("-inf"))
        return right - s.amax(1)


class HardPool:
    def __init__(self):
        self.items, self.seen = [], []

    def offer(self, x, y, margin):
        self.seen.append(margin.mean())
        for i in (margin < 0).nonzero().flatten().tolist():
            self.items.append((x[i], y[i]))
        del self.items[:-200]

    def mix_in(self, x, y, k=6):
        if len(self.items) < k:
            return x, y
        hx, hy = zip(*random.sample(self.items, k))
        x, y = x.clone(), y.clone()
        x[:k], y[:k] = torch.stack(hx), torch.stack(hy)
        return x, y


torch.set_num_threads(1)
torch.manual_seed(33)
random.seed(33)
_render = torch.randn(ATTR, SIDE * SIDE)
attrs = torch.bernoulli(torch.full((CLASSES, ATTR), 0.5))
image, text = ImageNet(), nn.Sequential(nn.Linear(ATTR, 16), nn.ReLU(True), nn.Linear(16, 12))
bank, pool = ClassBank(text, attrs), HardPool()
log_temp = nn.Parameter(torch.tensor(1.5))
opt = torch.optim.SGD([*image.parameters(), *text.parameters(), log_temp], lr=0.03, momentum=0.9)

for step in range(300):
    x, y = pool.mix_in(*leaves(24, attrs))
    z = image(x)
    protos = F.normalize(text(attrs), dim=1)
    logits = z @ protos.t()
    logits *= log_temp.exp()
    loss = F.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        log_temp.clamp_(max=3.0)
        text[0].weight.renorm_(2, 0, 3.0)
    pool.offer(x, y, bank.margin(z, y))
    if step % 4 == 3:
        bank.refresh()
    if step % 50 == 0:
        print(f"{step:4d} loss {loss.item():.3f} margin {torch.stack(pool.seen[-50:]).mean().item():+.3f} hard {len(pool.items)}")
