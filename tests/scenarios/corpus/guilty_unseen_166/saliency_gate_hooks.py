# gradwatch-corpus: kind=graph-held
# holder: feat | hook | on_grad | meter | features
# first-bad: 1
"""Channel importance (gradient times activation) measured while training, for pruning."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class TaylorImportance:
    """First order Taylor score per channel (Molchanov et al.), averaged over steps."""

    def __init__(self, channels, momentum=0.9):
        self.score = torch.zeros(channels)
        self.momentum = momentum
        self.seen = 0

    def accumulate(self, activation, grad):
        s = (activation * grad).detach().sum((2, 3)).abs().mean(0)
        self.score.mul_(self.momentum).add_(s, alpha=1 - self.momentum)
        self.seen += 1

    def weakest(self, k):
        return self.score.topk(k, largest=False).indices.tolist()


def watch(feat, meter):
    def on_grad(grad):
        meter.accumulate(feat, grad)  # <- culprit

    feat.register_hook(on_grad)  # <- culprit
    return feat


class SmallConv(nn.Module):
    def __init__(self, widths=(8, 12), classes=3):
        super().__init__()
        w1, w2 = widths
        self.conv1 = nn.Conv2d(1, w1, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(w1)
        self.conv2 = nn.Conv2d(w1, w2, 3, padding=1)
        self.head = nn.Linear(w2, classes)
        self.meters = [TaylorImportance(w) for w in widths]

    def tap(self, x, i):
        if self.training:
            x = watch(x, self.meters[i])
        return x

    def forward(self, x):
        x = self.tap(F.relu(self.bn1(self.conv1(x))), 0)
        x = F.max_pool2d(x, 2)
        x = self.tap(torch.tanh(self.conv2(x)), 1)
        return self.head(x.mean((2, 3)))


def shapes(n, gen, size=12):
    y = torch.randint(0, 3, (n,), generator=gen)
    x = 0.3 * torch.randn(n, 1, size, size, generator=gen)
    r = torch.arange(size)
    bar = (r % 4 < 2).float()
    x[y == 0] += bar[None, :, None]
    x[y == 1] += bar[None, None, :]
    x[y == 2] += (bar[:, None] * bar[None, :])[None]
    return x, y


@torch.no_grad()
def evaluate(model, gen):
    model.eval()
    x, y = shapes(128, gen)
    acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--bs", type=int, default=16)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen, val_gen = torch.Generator().manual_seed(1), torch.Generator().manual_seed(2)
    model = SmallConv()
    opt = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr, total_steps=args.steps)
    for step in range(args.steps):
        x, y = shapes(args.bs, gen)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 20 == 19:
            print(f"step {step + 1} loss {loss.item():.4f} acc {evaluate(model, val_gen):.3f}")
    for i, m in enumerate(model.meters):
        print(f"layer {i}: prune candidates {m.weakest(3)} after {m.seen} updates")


if __name__ == "__main__":
    main()
