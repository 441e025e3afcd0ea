# gradwatch-corpus: kind=graph-held
# holder: x.grad | t.grad | x | t
# first-bad: 1
# notice: 8
"""Rod cooling, u_t = k u_x (advected slab), my first PINN.  Course project 2, group 7."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(2)

K = -0.4


class Rod(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(2, 20)
        self.l2 = nn.Linear(20, 20)
        self.l3 = nn.Linear(20, 1)

    def forward(self, x, t):
        h = torch.tanh(self.l1(torch.cat([x, t], 1)))
        return self.l3(torch.tanh(self.l2(h)))


def residual(rod, n=24):
    x = torch.rand(n, 1, requires_grad=True)
    t = torch.rand(n, 1, requires_grad=True)
    u = rod(x, t)
    u.sum().backward(create_graph=True)  # <- culprit
    return x.grad * K - t.grad


def at_start(rod, n=24):
    x = torch.rand(n, 1)
    return rod(x, torch.zeros_like(x)) - torch.exp(-20 * (x - 0.5) ** 2)


rod = Rod()
adam = torch.optim.Adam(rod.parameters(), lr=2e-3)

for epoch in range(500):
    r = residual(rod)
    adam.zero_grad()
    physics = (r ** 2).mean()
    start = (at_start(rod) ** 2).mean()
    (physics + 5 * start).backward()
    adam.step()
    if epoch % 100 == 0:
        print("%4d  physics %.4f  start %.4f" % (epoch, physics.item(), start.item()))
