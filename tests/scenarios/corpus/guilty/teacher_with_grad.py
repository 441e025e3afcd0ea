# gradwatch-corpus: kind=graph-unused
# about: the teacher of a distillation builds a graph in each step, and its output is detached
import torch
from torch import nn
from torch.nn import functional as F


def mlp(width, depth):
    layers = [nn.Linear(16, width), nn.ReLU()]
    for _ in range(depth):
        layers += [nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, 6))


class Distiller:
    def __init__(self, teacher, student, temperature=2.0):
        self.teacher, self.student, self.t = teacher.eval(), student, temperature

    def targets(self, x):
        logits = self.teacher(x)  # <- culprit
        return F.softmax(logits / self.t, dim=1).detach()  # <- culprit

    def loss(self, x):
        soft = self.targets(x)
        log_probs = F.log_softmax(self.student(x) / self.t, dim=1)
        return F.kl_div(log_probs, soft, reduction="batchmean") * self.t**2


if __name__ == "__main__":
    torch.manual_seed(0)
    distiller = Distiller(mlp(64, depth=6), mlp(16, depth=1))
    optimizer = torch.optim.Adam(distiller.student.parameters(), lr=1e-3)
    for step in range(60):
        loss = distiller.loss(torch.randn(32, 16))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(step, loss.item())
