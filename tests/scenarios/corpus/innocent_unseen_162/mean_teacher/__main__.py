# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

from .teacher import EmaTeacher

torch.set_num_threads(1)
torch.manual_seed(19)


class Moons:
    def __init__(self, n):
        t = torch.rand(n) * torch.pi
        self.y = torch.randint(0, 2, (n,))
        sign = 1 - 2 * self.y.float()
        self.x = torch.stack([t.cos() + self.y * 1.0, sign * t.sin() + 0.3 * self.y], 1) + 0.1 * torch.randn(n, 2)

    def batches(self, size):
        for idx in torch.randperm(len(self.y)).split(size):
            yield self.x[idx], self.y[idx]


class History:
    def __init__(self):
        self.rows = {}

    def __call__(self, **values):
        for k, v in values.items():
            self.rows.setdefault(k, []).append(v)

    def mean(self, key, n=20):
        return torch.stack(self.rows[key][-n:]).mean().item()


def evaluate(net, data, sink):
    with torch.no_grad():
        for x, y in data.batches(64):
            out = net(x)
            sink.append((out, F.cross_entropy(out, y)))
    return torch.stack([l for _, l in sink]).mean()


student = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
teacher = EmaTeacher(student)
opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
labelled, unlabelled, val = Moons(40), Moons(400), Moons(128)
history = History()
val_records = []
step = 0
for epoch in range(12):
    labels = iter([])
    for xu, _ in unlabelled.batches(40):
        try:
            xl, yl = next(labels)
        except StopIteration:
            labels = labelled.batches(10)
            xl, yl = next(labels)
        sup = F.cross_entropy(student(xl), yl)
        cons = F.mse_loss(student(xu).softmax(-1), teacher(xu))
        ramp = min(1.0, step / 60)
        loss = sup + 5 * ramp * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update(student)
        history(sup=sup.detach(), cons=cons.detach(), total=loss.detach())
        step += 1
    v = evaluate(teacher.net, val, val_records)
    print(f"epoch {epoch} sup {history.mean('sup'):.3f} cons {history.mean('cons'):.4f} val {v:.3f} conf {teacher.agreement():.3f}")
