# gradwatch-corpus: kind=none
"""Semi-supervised vibration diagnosis: averaged teachers, consistency ramp-up, early stopping."""
import copy
import math
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


class Diag(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv1d(1, 6, 7, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(24, 3))


class Teachers:
    def __init__(self, student, taus=(0.9, 0.99, 0.999)):
        self.taus = taus
        self.nets = [copy.deepcopy(student).requires_grad_(False) for _ in taus]

    @torch.no_grad()
    def follow(self, student):
        for tau, net in zip(self.taus, self.nets):
            for a, b in zip(net.parameters(), student.parameters()):
                a.lerp_(b, 1 - tau)

    def __call__(self, x):
        return torch.stack([net(x).softmax(1) for net in self.nets]).mean(0)


class BestSoFar:
    def __init__(self, patience):
        self.patience, self.wait, self.loss = patience, 0, None

    def offer(self, loss):
        if self.loss is None or loss < self.loss:
            self.loss, self.wait = loss, 0
        else:
            self.wait += 1
        return self.wait > self.patience


def vib(n):
    y = torch.randint(0, 3, (n,))
    t = torch.arange(40).float()
    x = torch.sin(t[None] * (0.3 + 0.4 * y[:, None]) + 6 * torch.rand(n, 1)) + 0.4 * torch.randn(n, 40)
    return x[:, None], y


torch.manual_seed(19)
student = Diag()
teachers, best = Teachers(student), BestSoFar(patience=400)
opt = torch.optim.AdamW(student.parameters(), 2e-3)
xl, yl = vib(30)
for step in range(1200):
    pick = torch.randint(0, 30, (8,))
    xu, _ = vib(12)
    ramp = math.exp(-5 * (1 - min(1, step / 300)) ** 2)
    sup = F.cross_entropy(student(xl[pick]), yl[pick])
    cons = F.mse_loss(student(xu + 0.1 * torch.randn_like(xu)).softmax(1), teachers(xu))
    loss = sup + 3 * ramp * cons
    opt.zero_grad()
    loss.backward()
    opt.step()
    teachers.follow(student)
    if best.offer(sup) and step > 600:
        break
    if step % 200 == 0:
        print(step, sup.item(), cons.item(), best.loss.item())
print("stopped at", step)
