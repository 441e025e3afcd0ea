# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

from nets import make_net
from taps import FeatureTaps

T = 3.0


def blobs(n, size=10):
    y = torch.randint(0, 4, (n,))
    x = 0.3 * torch.randn(n, 1, size, size)
    half = size // 2
    for i, c in enumerate(y.tolist()):
        r = (c // 2) * half
        s = (c % 2) * half
        x[i, 0, r:r + half, s:s + half] += torch.linspace(0, 1, half)
    return x, y


def pretrain(net, steps):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for _ in range(steps):
        x, y = blobs(32)
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def attention_map(f):
    return F.normalize(f.pow(2).mean(1).flatten(1), dim=1)


def main():
    torch.manual_seed(27)
    teacher = make_net(16)
    print("teacher loss", pretrain(teacher, 40))
    teacher.eval()
    student = make_net(6)
    layers = ["1", "3"]
    t_taps = FeatureTaps(teacher, layers)
    s_taps = FeatureTaps(student, layers)
    opt = torch.optim.Adam(student.parameters(), lr=5e-3)
    for step in range(80):
        x, y = blobs(32)
        with torch.no_grad():
            t_logits = teacher(x)
        s_logits = student(x)
        at = 0.0
        for ft, fs in zip(t_taps.take(), s_taps.take()):
            at = at + (attention_map(ft) - attention_map(fs)).pow(2).sum(1).mean()
        kd = F.kl_div((s_logits / T).log_softmax(1), (t_logits / T).softmax(1), reduction="batchmean")
        ce = F.cross_entropy(s_logits, y)
        loss = ce + T * T * kd + 2.0 * at
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 19:
            print(f"{step + 1:3d} ce {ce.item():.3f} kd {kd.item():.3f} at {at.item():.3f}")
    t_taps.remove()
    s_taps.remove()


if __name__ == "__main__":
    main()
