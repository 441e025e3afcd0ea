# gradwatch-corpus: kind=none
"""Born-again distillation: student against its own EMA + a fixed big teacher, with callbacks."""
import torch
import torch.nn as nn

from callbacks import CallbackList, EmaCallback, FeatureTap, History
from distill import DistillationLoss
from spirals import spirals

torch.set_num_threads(1)
torch.manual_seed(77)


def mlp(width):
    return nn.Sequential(nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 3))


def pretrain(net, x, y, steps=150):
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(steps):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    return net.eval()


class Learner:
    def __init__(self, student, teacher, loss_fn, callbacks):
        self.student, self.teacher, self.loss_fn = student, teacher, loss_fn
        self.opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, nesterov=True)
        self.cbs = CallbackList(callbacks, self)
        self.loss = self.pred = None

    def one_batch(self, xb, yb):
        self.xb, self.yb = xb, yb
        self.pred = self.student(xb)
        soft = self.teacher(xb)
        ema_soft = self.ema(xb) if hasattr(self, "ema") else soft
        self.loss = self.loss_fn(self.pred, yb, [soft, ema_soft])
        self.opt.zero_grad()
        self.loss.backward()
        self.cbs("after_backward")
        self.opt.step()
        self.cbs("after_batch")

    def fit(self, x, y, iters, bs=48):
        for i in range(iters):
            self.iter = i
            idx = torch.randint(len(x), (bs,))
            self.one_batch(x[idx], y[idx])
        self.cbs("after_fit")


if __name__ == "__main__":
    x, y = spirals(600)
    teacher = pretrain(mlp(48), x, y)
    student = mlp(16)
    learner = Learner(student, teacher, DistillationLoss(T=3.0, alpha=0.6),
                      [EmaCallback(student, 0.99), FeatureTap(student[2]), History(every=80)])
    learner.fit(x, y, 400)
    with torch.no_grad():
        acc = lambda net: (net(x).argmax(1) == y).float().mean().item()
        print(f"teacher {acc(teacher):.3f} student {acc(student):.3f} ema {acc(learner.ema):.3f}")
