# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class TinyUNet(nn.Module):
    def __init__(self, c=6, classes=3):
        super().__init__()
        self.enc1 = nn.Conv2d(1, c, 3, padding=1)
        self.enc2 = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.dec = nn.Conv2d(3 * c, c, 3, padding=1)
        self.out = nn.Conv2d(c, classes, 1)
        self.skips = {}

    def forward(self, x):
        self.skips["e1"] = F.relu(self.enc1(x))
        z = F.relu(self.enc2(F.avg_pool2d(self.skips["e1"], 2)))
        up = F.interpolate(z, scale_factor=2)
        return self.out(F.relu(self.dec(torch.cat([up, self.skips["e1"]], 1))))


class EMATeacher(nn.Module):
    def __init__(self, student, decay=0.97):
        super().__init__()
        self.decay = decay
        self.net = copy.deepcopy(student)
        self.net.requires_grad_(False)

    def update(self, student):
        for t, s in zip(self.net.parameters(), student.parameters()):
            t.data = self.decay * t.data + (1 - self.decay) * s.data

    def forward(self, x):
        return self.net(x)


def shapes(n, size=12):
    y = torch.zeros(n, size, size, dtype=torch.long)
    for i in range(n):
        a, b = torch.randint(0, size - 5, (2,)).tolist()
        y[i, a:a + 5, b:b + 5] = 1 + int(torch.rand(()) > 0.5)
    x = y.float().unsqueeze(1) + 0.4 * torch.randn(n, 1, size, size)
    return x, y


class ConfidenceMeter:
    def __init__(self):
        self.mean = torch.zeros(3)
        self.log = []

    def update(self, prob):
        self.mean = 0.9 * self.mean + 0.1 * prob.mean((0, 2, 3))
        self.log.append(self.mean)


def main(steps=450, bs=6, threshold=0.6):
    torch.manual_seed(55)
    xl, yl = shapes(40)
    xu, yu = shapes(200)
    student = TinyUNet()
    teacher, meter = EMATeacher(student), ConfidenceMeter()
    opt = torch.optim.Adam(student.parameters(), lr=3e-3)
    for step in range(steps):
        i, j = torch.randint(0, len(xl), (bs,)), torch.randint(0, len(xu), (bs,))
        sup = F.cross_entropy(student(xl[i]), yl[i])
        prob = teacher(xu[j]).softmax(1)
        conf, pseudo = prob.max(1)
        meter.update(prob)
        unsup = F.cross_entropy(student(xu[j] + 0.1 * torch.randn_like(xu[j])), pseudo, reduction="none")
        unsup = (unsup * (conf > threshold)).mean()
        loss = sup + min(1.0, step / 150) * unsup
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.update(student)
        if step % 90 == 0:
            iou = (teacher(xu[:40]).argmax(1) == yu[:40]).float().mean().item()
            print(f"step {step} sup {sup.item():.3f} unsup {unsup.item():.3f} pix acc {iou:.3f}")


if __name__ == "__main__":
    main()
