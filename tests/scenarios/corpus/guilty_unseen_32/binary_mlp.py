# gradwatch-corpus: kind=graph-chain
# holder: self.center | self.norm.center | model.norm.center | norm.center
# first-bad: 1
"""Binarised first layer with running-mean centring, trained on moons-like data."""
import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = dict(width=48, batch=64, epochs=12, lr=3e-3, momentum=0.9, seed=21)


class BinarizeMatmul(torch.autograd.Function):
    """y = x sign(W)^T, straight-through inside [-1, 1]."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.x = x
        ctx.mask = weight.abs() <= 1
        ctx.sign = weight.sign()
        return x @ ctx.sign.t()

    @staticmethod
    def backward(ctx, grad):
        gx = grad @ ctx.sign if ctx.needs_input_grad[0] else None
        return gx, (grad.t() @ ctx.x) * ctx.mask


class BinaryLinear(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_out, d_in).uniform_(-0.5, 0.5))

    def forward(self, x):
        return BinarizeMatmul.apply(x, self.weight)


class RunningCenter(nn.Module):
    """Mean-only normalisation; the running mean is used in training too."""

    def __init__(self, features, momentum):
        super().__init__()
        self.momentum = momentum
        self.center = torch.zeros(features)
        self.gain = nn.Parameter(torch.ones(features))

    def forward(self, h):
        if self.training:
            batch_mean = h.mean(dim=0)
            self.center = torch.lerp(self.center, batch_mean, 1 - self.momentum)  # <- culprit
        return (h - self.center) * self.gain


class BinaryMLP(nn.Module):
    def __init__(self, d_in, width, classes):
        super().__init__()
        self.inp = BinaryLinear(d_in, width)
        self.norm = RunningCenter(width, CFG["momentum"])
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        return self.out(F.hardtanh(self.norm(self.inp(x))))


def two_arcs(n):
    t = torch.rand(n) * torch.pi
    label = torch.randint(0, 2, (n,))
    flip = 1 - 2 * label.float()
    pts = torch.stack([t.cos() * flip + label, t.sin() * flip + 0.4 * label], 1)
    lifted = torch.cat([pts, pts ** 2, pts.prod(1, keepdim=True)], 1)
    return lifted + 0.08 * torch.randn(n, 5), label


def batches(x, y, size):
    order = torch.randperm(len(x))
    for i in range(0, len(x) - size + 1, size):
        pick = order[i:i + size]
        yield x[pick], y[pick]


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    torch.manual_seed(CFG["seed"])
    xtr, ytr = two_arcs(768)
    xte, yte = two_arcs(256)
    model = BinaryMLP(5, CFG["width"], 2)
    opt = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    for epoch in range(CFG["epochs"]):
        total = 0.0
        for xb, yb in batches(xtr, ytr, CFG["batch"]):
            opt.zero_grad()
            loss = F.cross_entropy(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d} train {total / 12:.4f} test acc {accuracy(model, xte, yte):.3f}")


if __name__ == "__main__":
    main()
