# gradwatch-corpus: kind=graph-chain
# holder: self.state | obs.state | observer.state | th | om
# first-bad: 1
"""Identify damping and stiffness of a pendulum online; explicit Euler observer with a learned correction."""
import math
import torch


class Pendulum:
    """Ground truth."""

    def __init__(self, k=4.0, c=0.3, dt=0.02):
        self.k, self.c, self.dt = k, c, dt
        self.th, self.om = 1.0, 0.0

    def advance(self):
        a = -self.k * math.sin(self.th) - self.c * self.om
        self.om += self.dt * a
        self.th += self.dt * self.om
        return self.th


class Observer(torch.nn.Module):
    def __init__(self, dt=0.02):
        super().__init__()
        self.dt = dt
        self.log_k = torch.nn.Parameter(torch.tensor(1.0))
        self.log_c = torch.nn.Parameter(torch.tensor(-1.0))
        self.state = (torch.tensor(1.0), torch.tensor(0.0))

    def forward(self, drive):
        th, om = self.state
        k, c = self.log_k + 0.0, self.log_c + 0.0
        acc = -k.exp() * torch.sin(th) - c.exp() * om + drive
        om = om + self.dt * acc
        th = th + self.dt * om
        self.state = (th, om)  # <- culprit
        return th


torch.manual_seed(0)
plant, observer = Pendulum(), Observer()
opt = torch.optim.Adam(observer.parameters(), lr=0.01)
for n in range(200):
    meas = plant.advance() + 0.01 * torch.randn(()).item()
    th = observer(0.0)
    loss = (th - meas) ** 2
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if n % 40 == 0:
        print(n, "k=%.3f c=%.3f err=%.2e" % (observer.log_k.exp().item(), observer.log_c.exp().item(), loss.item()))
