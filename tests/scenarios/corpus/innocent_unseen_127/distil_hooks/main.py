# gradwatch-corpus: kind=none
import torch
from torch import nn

from tap import Tap

torch.set_num_threads(1)
torch.manual_seed(30)


def tower(width):
    return nn.Sequential(nn.Linear(11, width), nn.ReLU(), nn.Linear(width, 6), nn.ReLU(), nn.Linear(6, 4))


def tickets(n=18):
    x = torch.randn(n, 11)
    return x, (x[:, :4] + x[:, 4:8]).argmax(1)


teacher, student = tower(32), tower(8)
with Tap(student, every=10) as seen_s, Tap(teacher, every=10) as seen_t:
    t_opt = torch.optim.Adam(teacher.parameters(), lr=1e-2)
    for _ in range(150):
        x, y = tickets()
        t_opt.zero_grad()
        nn.functional.cross_entropy(teacher(x), y).backward()
        t_opt.step()
    s_opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    for it in range(450):
        x, y = tickets()
        with torch.no_grad():
            soft = teacher(x).softmax(1)
        out = student(x)
        hint = (seen_s.latest - seen_t.latest).square().mean()
        loss = nn.functional.cross_entropy(out, soft) + 0.1 * hint
        s_opt.zero_grad()
        loss.backward()
        s_opt.step()
        if it % 90 == 0:
            print(it, loss.item(), hint.item(), seen_s.activity)
