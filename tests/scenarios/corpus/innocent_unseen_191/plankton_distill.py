# gradwatch-corpus: kind=none
import copy
from concurrent.futures import ThreadPoolExecutor, wait

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(36, 64), nn.GELU(), nn.Linear(64, dim))

    def forward(self, x):
        return self.net(x)


class Distiller:
    def __init__(self, student, momentum=0.98):
        self.student = student
        self.teacher = copy.deepcopy(student)
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.momentum = momentum
        self.center = torch.zeros(32)

    def loss(self, a, b):
        sa, sb = self.student(a), self.student(b)
        ta, tb = self.teacher(a), self.teacher(b)
        out = 0.0
        for t, s in ((ta, sb), (tb, sa)):
            target = F.softmax((t - self.center) / 0.06, -1)
            out = out - (target * F.log_softmax(s / 0.1, -1)).sum(-1).mean() / 2
        self.center = 0.9 * self.center + 0.1 * (ta.mean(0) + tb.mean(0)) / 2
        return out, sa

    def follow(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s.detach(), 1 - self.momentum)


def collapse_report(step, loss, emb):
    with torch.no_grad():
        spread = F.normalize(emb, dim=-1).std(0).mean()
    return step, float(loss), float(spread)


def main():
    torch.manual_seed(190)
    distiller = Distiller(Encoder())
    opt = torch.optim.AdamW(distiller.student.parameters(), lr=1e-3, weight_decay=0.02)
    base = torch.randn(10, 36)
    inflight, reports = [], []
    with ThreadPoolExecutor(max_workers=1) as pool:
        for step in range(480):
            x = base[torch.randint(10, (24,))]
            a, b = x + 0.4 * torch.randn_like(x), x + 0.4 * torch.randn_like(x)
            loss, emb = distiller.loss(a, b)
            opt.zero_grad()
            loss.backward()
            opt.step()
            distiller.follow()
            inflight.append(pool.submit(collapse_report, step, loss, emb))
            if len(inflight) >= 20:
                wait(inflight)
                reports.append(inflight[-1].result())
                inflight = []
    for step, value, spread in reports[::4]:
        print(f"{step} loss {value:.4f} spread {spread:.4f}")


if __name__ == "__main__":
    main()
