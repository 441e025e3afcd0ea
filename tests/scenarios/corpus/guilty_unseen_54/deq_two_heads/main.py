# gradwatch-corpus: kind=second-backward
# first-bad: 14
"""Deep-equilibrium encoder with two regression heads; logs how much the tasks pull apart."""
import sys
from pathlib import Path

import torch
import torch.nn as nn

sys.path.insert(0, str(Path(__file__).resolve().parent))
from implicit import EquilibriumLayer  # noqa: E402


class ArmModel(nn.Module):
    """joint angles -> end-effector position and manipulability"""

    def __init__(self, n_in=3, width=20):
        super().__init__()
        self.inp = nn.Linear(n_in * 2, width)
        self.core = EquilibriumLayer(width)
        self.pos = nn.Linear(width, 2)
        self.manip = nn.Linear(width, 1)

    def forward(self, q):
        z = self.core(self.inp(torch.cat([q.sin(), q.cos()], -1)))
        return self.pos(z), self.manip(z).squeeze(-1)


def arm_data(n):
    q = 3.1 * (2 * torch.rand(n, 3) - 1)
    a = q.cumsum(-1)
    link = torch.tensor([1.0, 0.7, 0.4])
    pos = torch.stack([(link * a.cos()).sum(-1), (link * a.sin()).sum(-1)], -1)
    return q, pos, (q[:, 1].sin().abs() + 0.5 * q[:, 2].sin().abs())


def task_cosine(loss_a, loss_b, shared):
    ga = torch.autograd.grad(loss_a, shared, retain_graph=True)
    gb = torch.autograd.grad(loss_b, shared, retain_graph=True)
    fa = torch.cat([g.flatten() for g in ga])
    fb = torch.cat([g.flatten() for g in gb])
    return torch.cosine_similarity(fa, fb, dim=0).item()


def main():
    torch.manual_seed(4)
    q, pos, manip = arm_data(600)
    model = ArmModel()
    shared = list(model.core.parameters())
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(120):
        pick = torch.randint(0, len(q), (48,))
        p_hat, m_hat = model(q[pick])
        loss_pos = (p_hat - pos[pick]).pow(2).mean()
        loss_man = (m_hat - manip[pick]).pow(2).mean()
        if (step + 1) % 15 == 0:
            print(f"step {step}: pos {loss_pos.item():.3f} manip {loss_man.item():.3f} "
                  f"cos {task_cosine(loss_pos, loss_man, shared):+.2f}")
        opt.zero_grad()
        (loss_pos + 0.5 * loss_man).backward()
        opt.step()


if __name__ == "__main__":
    main()
