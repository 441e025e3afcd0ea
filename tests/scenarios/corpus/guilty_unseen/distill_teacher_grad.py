# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Knowledge distillation; the teacher is the larger network and is frozen by leaving it out of the optimizer."""
import torch
import torch.nn.functional as F
from torch import nn


def resmlp(d, width, depth, out):
    class Res(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.LayerNorm(width)
            self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)

        def forward(self, x):
            return x + self.b(F.gelu(self.a(self.norm(x))))

    return nn.Sequential(nn.Linear(d, width), *[Res() for _ in range(depth)], nn.Linear(width, out))


def kd_loss(s, t, y, T=4.0, alpha=0.7):
    soft = F.kl_div(F.log_softmax(s / T, 1), F.softmax(t / T, 1).detach(), reduction="batchmean") * T * T  # <- culprit
    return alpha * soft + (1 - alpha) * F.cross_entropy(s, y)


def main():
    torch.manual_seed(0)
    teacher, student = resmlp(32, 96, 6, 8).eval(), resmlp(32, 48, 1, 8)
    opt = torch.optim.AdamW(student.parameters(), lr=1e-3)
    for step in range(150):
        x = torch.randn(64, 32)
        y = x[:, :8].argmax(1)
        t_logits = teacher(x)  # <- culprit
        loss = kd_loss(student(x), t_logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 30 == 0:
            print(step, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
