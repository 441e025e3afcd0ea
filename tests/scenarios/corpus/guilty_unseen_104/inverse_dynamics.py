# gradwatch-corpus: kind=graph-held
# holder: Tukey.calls | cls.calls | ctx.pred | Tukey.calls[-1].pred
# first-bad: 1
# notice: 8
"""Inverse dynamics of a planar two-link arm, with a robust torque loss whose
gradient is written by hand."""
import torch
from torch import nn

torch.manual_seed(31)
torch.set_num_threads(1)


class Tukey(torch.autograd.Function):
    """Tukey's biweight; outliers get no gradient at all."""

    calls = []

    @staticmethod
    def forward(ctx, pred, target, c):
        ctx.c = c
        ctx.pred = pred  # <- culprit
        ctx.target = target
        u = ((pred - target) / c).square().clamp(max=1.0)
        ctx.inlier = u < 1.0
        Tukey.calls.append(ctx)  # <- culprit
        return (c * c / 6.0) * (1 - (1 - u) ** 3).mean()

    @staticmethod
    def backward(ctx, grad):
        r = ctx.pred.detach() - ctx.target
        w = (1 - (r / ctx.c).square()).square() * ctx.inlier
        return grad * w * r / r.numel(), None, None

    @classmethod
    def inlier_share(cls, first=0, last=None):
        masks = [c.inlier.float().mean() for c in cls.calls[first:last]]
        return torch.stack(masks).mean().item()


def arm_torque(q, qd, qdd, m=(1.2, 0.8), l=(0.5, 0.4), g=9.81):
    """Closed-form torques of the two-link arm (point masses at the tips)."""
    c2, s2 = torch.cos(q[:, 1]), torch.sin(q[:, 1])
    a = (m[0] + m[1]) * l[0] ** 2
    b = m[1] * l[1] ** 2
    k = m[1] * l[0] * l[1]
    t1 = (a + b + 2 * k * c2) * qdd[:, 0] + (b + k * c2) * qdd[:, 1]
    t1 = t1 - k * s2 * (2 * qd[:, 0] * qd[:, 1] + qd[:, 1] ** 2)
    t1 = t1 + (m[0] + m[1]) * g * l[0] * torch.cos(q[:, 0]) + m[1] * g * l[1] * torch.cos(q.sum(-1))
    t2 = (b + k * c2) * qdd[:, 0] + b * qdd[:, 1] + k * s2 * qd[:, 0] ** 2
    t2 = t2 + m[1] * g * l[1] * torch.cos(q.sum(-1))
    return torch.stack((t1, t2), -1)


class TorqueNet(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 2)
        self.friction = nn.Parameter(torch.zeros(2))

    def forward(self, q, qd, qdd):
        x = torch.cat((q.sin(), q.cos(), qd, qdd), -1)
        return self.out(self.body(x)) + self.friction * torch.tanh(10 * qd)


def measurements(n):
    q = 3.0 * (torch.rand(n, 2) - 0.5)
    qd, qdd = torch.randn(n, 2), 2 * torch.randn(n, 2)
    tau = arm_torque(q, qd, qdd) + 0.4 * torch.tanh(10 * qd)
    spikes = (torch.rand(n, 1) < 0.05).float() * 60 * torch.randn(n, 2)
    return q, qd, qdd, tau + 0.1 * torch.randn(n, 2) + spikes


def main():
    net = TorqueNet()
    opt = torch.optim.NAdam(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=450)
    for it in range(450):
        q, qd, qdd, tau = measurements(64)
        c = max(40.0 * 0.99 ** it, 6.0)
        loss = Tukey.apply(net(q, qd, qdd), tau, c)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 90 == 89:
            print(f"{it + 1:4d} loss {loss.item():8.3f} c {c:5.1f} inliers {Tukey.inlier_share(it - 89):.3f}")
    print(f"inliers over the whole run: {Tukey.inlier_share():.3f}")


main()
