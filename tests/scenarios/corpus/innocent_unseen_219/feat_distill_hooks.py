# gradwatch-corpus: kind=none
# Feature distillation: forward hooks fill a tap that is drained after every step; hooks go away for evaluation.
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Stage(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride=2, padding=1)
        self.norm = nn.GroupNorm(4, cout)

    def forward(self, x):
        return F.silu(self.norm(self.conv(x)))


class Net(nn.Module):
    def __init__(self, width, use_ckpt=False):
        super().__init__()
        self.s1 = Stage(3, width)
        self.s2 = Stage(width, 2 * width)
        self.s3 = Stage(2 * width, 2 * width)
        self.fc = nn.Linear(2 * width, 5)
        self.use_ckpt = use_ckpt

    def forward(self, x):
        x = self.s1(x)
        if self.use_ckpt and self.training:
            x = checkpoint(self.s2, x, use_reentrant=False)
        else:
            x = self.s2(x)
        return self.fc(self.s3(x).mean((2, 3)))


class Tap:
    def __init__(self):
        self.feats = {}

    @contextlib.contextmanager
    def attached(self, **modules):
        handles = [m.register_forward_hook(self._save(k)) for k, m in modules.items()]
        try:
            yield self
        finally:
            for h in handles:
                h.remove()
            self.feats.clear()

    def _save(self, key):
        def hook(_m, _i, out):
            self.feats.setdefault(key, []).append(out)
        return hook

    def pop(self, key):
        return self.feats.pop(key)[-1]


def blobs(n, g):
    y = torch.randint(0, 5, (n,), generator=g)
    x = 0.4 * torch.randn(n, 3, 16, 16, generator=g)
    for i, c in enumerate(y.tolist()):
        x[i, c % 3, 3 * c: 3 * c + 4] += 1.0
    return x, y


def evaluate(net, g):
    net.eval()
    with torch.inference_mode():
        x, y = blobs(64, g)
        acc = (net(x).argmax(-1) == y).float().mean().item()
    net.train()
    return acc


def main():
    torch.manual_seed(71)
    g = torch.Generator().manual_seed(72)
    teacher = Net(16).eval().requires_grad_(False)
    student = Net(8, use_ckpt=True).train()
    adapt = nn.Conv2d(16, 32, 1)
    opt = torch.optim.AdamW([*student.parameters(), *adapt.parameters()], lr=3e-3)
    tap = Tap()
    metrics = []
    for epoch in range(4):
        with tap.attached(s=student.s3, t=teacher.s3):
            for _ in range(25):
                x, y = blobs(32, g)
                with torch.no_grad():
                    teacher(x)
                logits = student(x)
                fs, ft = tap.pop("s"), tap.pop("t")
                hint = F.mse_loss(adapt(fs), ft)
                loss = F.cross_entropy(logits, y) + 0.5 * hint
                opt.zero_grad()
                loss.backward()
                opt.step()
                metrics.append((loss.item(), hint.item()))
        print(f"epoch {epoch} loss {metrics[-1][0]:.3f} hint {metrics[-1][1]:.3f} acc {evaluate(student, g):.2f}")


if __name__ == "__main__":
    main()
