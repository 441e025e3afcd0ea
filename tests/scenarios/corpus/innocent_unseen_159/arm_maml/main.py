# gradwatch-corpus: kind=none
"""Meta-learned inverse dynamics: inner steps on fast weights, outer step through them."""
import torch
from torch import nn
import torch.nn.functional as F

from fast import Adapter

torch.set_num_threads(1)
torch.manual_seed(9)


class InverseDynamics(nn.Module):
    def __init__(self, joints=3, hidden=24):
        super().__init__()
        self.a = nn.Linear(3 * joints, hidden)
        self.b = nn.Linear(hidden, joints)

    def forward(self, s):
        return self.b(torch.tanh(self.a(s)))


def arms(n, joints=3, shots=10):
    for _ in range(n):
        mass = 0.5 + torch.rand(joints)
        damp = 0.3 * torch.rand(joints)

        def sample():
            q, dq, ddq = torch.randn(3, shots, joints)
            return torch.cat([q, dq, ddq], 1), mass * ddq + damp * dq + 0.5 * torch.sin(q)
        yield sample(), sample()


def main(meta_steps=100, tasks=3):
    net = InverseDynamics()
    ad = Adapter(net, steps=2)
    opt = torch.optim.Adam([*net.parameters(), *ad.rates.values()], lr=3e-3)
    trace = []
    for k in range(meta_steps):
        opt.zero_grad()
        losses = []
        for support, query in arms(tasks):
            with ad.task(support) as model:
                losses.append(F.mse_loss(model(query[0]), query[1]))
        outer = torch.stack(losses).mean()
        outer.backward()
        opt.step()
        trace.append(float(outer.detach()))
        if k % 25 == 24:
            print(k, f"outer {sum(trace[-25:]) / 25:.4f}")


if __name__ == "__main__":
    main()
