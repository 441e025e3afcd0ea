# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(44)


class Tap:
    """Keeps what a layer put out in the last forward."""

    def __init__(self, root, names):
        self.seen = {}
        modules = dict(root.named_modules())
        self.handles = [modules[n].register_forward_hook(self._hook(n)) for n in names]

    def _hook(self, name):
        def hook(module, args, out):
            self.seen[name] = out
        return hook

    def __getitem__(self, name):
        return self.seen[name]

    def close(self):
        for h in self.handles:
            h.remove()


def conv_net(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        nn.Flatten(), nn.Linear(width, 4))


def blobs(n):
    y = torch.randint(0, 4, (n,))
    x = 0.5 * torch.randn(n, 1, 8, 8)
    for i, c in enumerate(y.tolist()):
        r, k = divmod(c, 2)
        x[i, 0, 4 * r:4 * r + 4, 4 * k:4 * k + 4] += 0.7
    return TensorDataset(x, y)


class HintDistiller:
    def __init__(self, teacher, student):
        self.teacher, self.student = teacher, student
        self.t_tap, self.s_tap = Tap(teacher, ["1", "4"]), Tap(student, ["1", "4"])
        self.regress = nn.ModuleList([nn.Conv2d(6, 16, 1), nn.Conv2d(6, 16, 1)])
        self.opt = torch.optim.Adam([*student.parameters(), *self.regress.parameters()], 3e-3)

    def step(self, x, y):
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / 3, 1)
        out = self.student(x)
        hints = [F.mse_loss(r(self.s_tap[n]), self.t_tap[n]) for r, n in zip(self.regress, ("1", "4"))]
        kd = F.kl_div(F.log_softmax(out / 3, 1), soft, reduction="batchmean")
        loss = F.cross_entropy(out, y) + 2 * kd + sum(hints)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return (out.argmax(1) == y).float().mean().item()


def main():
    loader = DataLoader(blobs(640), batch_size=32, shuffle=True)
    teacher, student = conv_net(16), conv_net(6)
    opt = torch.optim.Adam(teacher.parameters(), 5e-3)
    for _ in range(2):
        for x, y in loader:
            opt.zero_grad()
            F.cross_entropy(teacher(x), y).backward()
            opt.step()
    teacher.eval().requires_grad_(False)
    job = HintDistiller(teacher, student)
    for epoch in range(3):
        acc = [job.step(x, y) for x, y in loader]
        print(epoch, round(sum(acc) / len(acc), 3))


if __name__ == "__main__":
    main()
