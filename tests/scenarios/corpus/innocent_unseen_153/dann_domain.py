# gradwatch-corpus: kind=none
"""Domain adversarial training with a gradient reversal layer."""
import math

import torch
import torch.nn as nn
from torch.autograd import Function

torch.set_num_threads(1)
torch.manual_seed(53)


class GradReverse(Function):
    @staticmethod
    def forward(ctx, x, lambd):
        ctx.lambd = lambd
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.neg() * ctx.lambd, None


class DANN(nn.Module):
    def __init__(self, d=12, k=3):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.classifier = nn.Linear(16, k)
        self.domain = nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, x, lambd):
        f = self.features(x)
        return self.classifier(f), self.domain(GradReverse.apply(f, lambd))


class Domains:
    def __init__(self, d=12, k=3):
        self.c = torch.randn(k, d) * 1.5
        self.shift = torch.randn(d) * 0.8
        self.k = k

    def source(self, n):
        y = torch.randint(0, self.k, (n,))
        return self.c[y] + torch.randn(n, self.c.shape[1]), y

    def target(self, n):
        x, y = self.source(n)
        return x + self.shift, y


dom, model = Domains(), DANN()
opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
ce = nn.CrossEntropyLoss()
N = 120
confusions = []
for i in range(N):
    p = i / N
    lambd = 2.0 / (1.0 + math.exp(-10 * p)) - 1
    opt.zero_grad()
    xs, ys = dom.source(32)
    logits, d_src = model(xs, lambd)
    err_label = ce(logits, ys)
    err_src = ce(d_src, torch.zeros(32, dtype=torch.long))
    xt, yt = dom.target(32)
    _, d_tgt = model(xt, lambd)
    err_tgt = ce(d_tgt, torch.ones(32, dtype=torch.long))
    err = err_label + 0.3 * (err_src + err_tgt)
    err.backward()
    opt.step()
    confusions.append((err_src + err_tgt).cpu().data.numpy().item() / 2)
    if i % 30 == 0:
        model.eval()
        with torch.no_grad():
            x, y = dom.target(200)
            acc = (model(x, 0.0)[0].argmax(1) == y).float().mean().item()
        model.train()
        print(i, "label %.3f domain %.3f target acc %.3f" % (err_label.item(), confusions[-1], acc))
