# gradwatch-corpus: kind=none
"""Mean teacher on partly labelled activity segments; SWA over the last third."""
import torch
import torch.nn as nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.set_num_threads(1)
torch.manual_seed(101)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(3, 8, 5, padding=2)
        self.gru = nn.GRU(8, 8, batch_first=True)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        h = torch.relu(self.conv(x)).transpose(1, 2)
        return self.fc(self.gru(h)[0].mean(1))


def activity(n):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 6.28, 12)
    x = torch.stack([torch.sin((y[:, None] + 1) * t + k) for k in range(3)], 1)
    return x + 0.4 * torch.randn_like(x), y


student = Student()
teacher = AveragedModel(student, multi_avg_fn=get_ema_multi_avg_fn(0.97))
swa = AveragedModel(student)
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
N = 480
log = {"sup": 0.0, "cons": 0.0}
for it in range(N):
    xl, yl = activity(8)
    xu, _ = activity(16)
    with torch.no_grad():
        soft = teacher(xu + 0.05 * torch.randn_like(xu)).softmax(-1)
    sup = nn.functional.cross_entropy(student(xl), yl)
    cons = (student(xu).softmax(-1) - soft).pow(2).mean()
    ramp = min(1.0, it / 100)
    opt.zero_grad(set_to_none=False)
    (sup + ramp * cons).backward()
    opt.step()
    teacher.update_parameters(student)
    if it > 2 * N // 3:
        swa.update_parameters(student)
    log["sup"] += sup.detach()
    log["cons"] += cons.detach()
print({k: float(v) / N for k, v in log.items()})
