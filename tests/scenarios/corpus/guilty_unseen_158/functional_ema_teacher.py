# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow | self.teacher.shadow
# first-bad: 1
# notice: 5
"""Semi-supervised gesture classifier with an averaged teacher called through torch.func."""
from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(2)


class GestureNet(nn.Module):
    def __init__(self, sensors=12, classes=4):
        super().__init__()
        self.fc1 = nn.Linear(sensors, 32)
        self.fc2 = nn.Linear(32, classes)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


class AveragedTeacher:
    def __init__(self, student, decay=0.95):
        self.student = student
        self.decay = decay
        self.shadow = OrderedDict((k, p.detach().clone()) for k, p in student.named_parameters())

    def absorb(self):
        self.shadow = OrderedDict(  # <- culprit
            (k, torch.lerp(self.shadow[k], p, 1.0 - self.decay))
            for k, p in self.student.named_parameters())

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))  # <- culprit


class MeanTeacherTask:
    def __init__(self):
        self.net = GestureNet()
        self.teacher = AveragedTeacher(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.centres = torch.randn(4, 12)

    def draw(self, n):
        y = torch.randint(0, 4, (n,))
        return self.centres[y] + 0.7 * torch.randn(n, 12), y

    def losses(self):
        x, y = self.draw(16)
        u, _ = self.draw(48)
        supervised = F.cross_entropy(self.net(x), y)
        weak = u + 0.05 * torch.randn_like(u)
        target = self.teacher(weak).softmax(dim=-1)  # <- culprit
        consistency = F.mse_loss(self.net(u).softmax(dim=-1), target)
        return supervised, consistency

    def step(self, weight):
        supervised, consistency = self.losses()
        loss = supervised + weight * consistency
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.absorb()
        return supervised.item(), consistency.item()


def main():
    task = MeanTeacherTask()
    for it in range(90):
        sup, con = task.step(weight=min(1.0, it / 30))
        if it % 30 == 29:
            print(f"it {it + 1} supervised {sup:.3f} consistency {con:.5f}")


if __name__ == "__main__":
    main()
