# gradwatch-corpus: kind=none
import copy
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


class ConvNet(nn.Module):
    def __init__(self, width=12, n_cls=4):
        super().__init__()
        self.c1 = nn.Conv2d(1, width, 3, padding=1)
        self.c2 = nn.Conv2d(width, width, 3, padding=1)
        self.fc = nn.Linear(width, n_cls)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.relu(self.c2(x))
        return self.fc(x.mean((2, 3)))


class FeatureTap:
    def __init__(self):
        self.feats = {}

    def _save(self, key):
        def fn(mod, inp, out):
            self.feats.setdefault(key, []).append(out)
        return fn

    @contextmanager
    def on(self, model, layers, prefix):
        handles = []
        for name in layers:
            mod = getattr(model, name)
            handles.append(mod.register_forward_hook(self._save(prefix + name)))
        try:
            yield self
        finally:
            for h in handles:
                h.remove()

    def pop(self):
        f, self.feats = self.feats, {}
        return f


@torch.no_grad()
def ema(teacher, student, m):
    for pt, ps in zip(teacher.parameters(), student.parameters()):
        pt.lerp_(ps, 1 - m)


def quadrant_blobs(n):
    y = torch.randint(4, (n,))
    x = 0.3 * torch.randn(n, 1, 8, 8)
    for k in range(4):
        r = 4 * (k // 2)
        c = 4 * (k % 2)
        x[y == k, :, r:r + 3, c:c + 3] += 1.0
    return x, y


def augment(x):
    return x + 0.1 * torch.randn_like(x)


def main():
    torch.manual_seed(64)
    student = ConvNet()
    teacher = copy.deepcopy(student)
    for p in teacher.parameters():
        p.requires_grad_(False)
    tap = FeatureTap()
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    best = None
    best_state = None
    curve = []
    for it in range(100):
        x, y = quadrant_blobs(32)
        with tap.on(student, ["c1", "c2"], "s/"), tap.on(teacher, ["c1", "c2"], "t/"):
            logits = student(augment(x))
            t_logits = teacher(augment(x))
        feats = tap.pop()
        fd = sum(F.mse_loss(feats["s/" + k][0], feats["t/" + k][0]) for k in ("c1", "c2"))
        kd = F.kl_div(F.log_softmax(logits, 1), F.softmax(t_logits, 1), reduction="batchmean")
        ce = F.cross_entropy(logits, y)
        loss = ce + 0.5 * kd + 0.1 * fd
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema(teacher, student, 0.9)
        curve.append(ce.detach())
        if best is None or curve[-1] < best:
            best = curve[-1]
            best_state = {k: v.clone() for k, v in student.state_dict().items()}
        if it % 25 == 0:
            print("it", it, "ce %.4f kd %.4f fd %.4f" % (ce.item(), kd.item(), fd.item()))
    student.load_state_dict(best_state)
    print("best ce", round(best.item(), 4))


if __name__ == "__main__":
    main()
