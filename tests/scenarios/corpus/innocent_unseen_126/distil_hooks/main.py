# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(117)

from torch import nn
import torch.nn.functional as F
from taps import Taps


def mlp(w):
    return nn.Sequential(nn.Linear(9, w), nn.ReLU(), nn.Linear(w, w), nn.ReLU(), nn.Linear(w, 4))


teacher, student, adapter = mlp(32), mlp(12), nn.Linear(12, 32)
X = torch.randn(300, 9)
Y = (X[:, :4] + X[:, 4:8] ** 2).argmax(1)

t_opt = torch.optim.Adam(teacher.parameters(), lr=5e-3)
for i in range(150):
    r = torch.randint(0, 300, (30,))
    t_opt.zero_grad()
    F.cross_entropy(teacher(X[r]), Y[r]).backward()
    t_opt.step()
teacher.eval().requires_grad_(False)

taps_t, taps_s = Taps(teacher, ["3"]), Taps(student, ["3"])
opt = torch.optim.Adam([*student.parameters(), *adapter.parameters()], lr=5e-3)
T = 2.0
for i in range(500):
    r = torch.randint(0, 300, (30,))
    lt, ls = teacher(X[r]), student(X[r])
    kd = F.kl_div((ls / T).log_softmax(1), (lt / T).softmax(1), reduction="batchmean") * T * T
    hint = F.mse_loss(adapter(taps_s.pop("3")), taps_t.pop("3"))
    loss = 0.3 * F.cross_entropy(ls, Y[r]) + kd + 0.5 * hint
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 100 == 99:
        taps_t.close(), taps_s.close()
        with torch.no_grad():
            print(i, (student(X).argmax(1) == Y).float().mean().item(), (teacher(X).argmax(1) == Y).float().mean().item())
        taps_t, taps_s = Taps(teacher, ["3"]), Taps(student, ["3"])
