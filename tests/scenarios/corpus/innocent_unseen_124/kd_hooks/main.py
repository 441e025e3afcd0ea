# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

from nets import convnet
from taps import Taps

torch.set_num_threads(1)
torch.manual_seed(16)


def digits(n=12):
    y = torch.randint(0, 4, (n,))
    img = 0.3 * torch.rand(n, 1, 10, 10)
    for i, k in enumerate(y.tolist()):
        img[i, 0, k: k + 5, 2 * k: 2 * k + 3] += 1
    return img, y


teacher, student = convnet(12, 4), convnet(4, 4)
for _ in range(60):
    if _ == 0:
        warm = torch.optim.Adam(teacher.parameters(), lr=5e-3)
    img, y = digits()
    warm.zero_grad()
    F.cross_entropy(teacher(img), y).backward()
    warm.step()
teacher.eval().requires_grad_(False)

t_tap, s_tap = Taps(teacher, ("0", "2")), Taps(student, ("0", "2"))
bridge = nn.ModuleList(nn.Conv2d(4, 12, 1) for _ in range(2))
opt = torch.optim.Adam([*student.parameters(), *bridge.parameters()], lr=3e-3)
for it in range(450):
    img, y = digits()
    t_logit, s_logit = teacher(img), student(img)
    match = sum(F.mse_loss(b(s), t) for b, s, t in zip(bridge, s_tap.values(), t_tap.values()))
    loss = F.cross_entropy(s_logit, y) + 0.5 * match
    loss = loss + F.kl_div(s_logit.log_softmax(1), t_logit.softmax(1), reduction="batchmean")
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 90 == 0:
        print(it, f"{loss.item():.4f} match {match.item():.4f}")
