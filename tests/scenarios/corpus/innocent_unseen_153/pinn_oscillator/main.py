# gradwatch-corpus: kind=none
import torch

from model import FCN
from physics import Oscillator

torch.set_num_threads(1)
torch.manual_seed(123)


class LossLog:
    def __init__(self):
        self.rows = {}

    def add(self, **terms):
        for k, v in terms.items():
            self.rows.setdefault(k, []).append(float(v.detach()))

    def last(self):
        return {k: round(v[-1], 5) for k, v in self.rows.items()}


problem = Oscillator(d=2.0, w0=8.0)
t_obs = torch.linspace(0, 0.4, 10)[:, None]
u_obs = problem.exact(t_obs)
net = FCN(1, 1, 24, 2)
mu = torch.nn.Parameter(torch.tensor(1.0))
optimizer = torch.optim.Adam([{"params": net.parameters()}, {"params": [mu], "lr": 0.05}], lr=3e-3)
log = LossLog()
t_phys = torch.linspace(0, 1, 40)[:, None].requires_grad_(True)

for step in range(160):
    data = (net(t_obs) - u_obs).pow(2).mean()
    phys = problem.residual(net, t_phys, mu).pow(2).mean()
    loss = data + 1e-4 * phys
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    log.add(data=data, phys=phys, total=loss)
    if step % 40 == 0:
        print(step, log.last(), "mu %.3f" % mu.item())
