# gradwatch-corpus: kind=none

# PINN for the damped pendulum + a few noisy measurements, also estimates damping.
# needs second derivative wrt t -> create_graph
import torch

from model import PinnNet
from balance import LossBalancer
from utils import RunLog

torch.set_num_threads(1)
torch.manual_seed(4)

G_L = 2.0
C_TRUE = 0.3


def reference(n, dt=0.005):
    th, om = 1.0, 0.0
    out = []
    for _ in range(n):
        out.append(th)
        om = om + dt * (-C_TRUE * om - G_L * torch.sin(torch.tensor(th)).item())
        th = th + dt * om
    return torch.tensor(out)


ref = reference(800)
idx = torch.arange(0, 800, 60)
t_obs = (idx * 0.005).unsqueeze(1)
th_obs = ref[idx].unsqueeze(1) + 0.02 * torch.randn(len(idx), 1)

# collocation points: made ONCE, they need grad but no graph
t_col = torch.linspace(0, 4, 40).unsqueeze(1).requires_grad_(True)

net = PinnNet()
c = torch.nn.Parameter(torch.tensor(0.05))
opt = torch.optim.Adam(list(net.parameters()) + [c], lr=4e-3)
bal = LossBalancer(['ode', 'data', 'init'], beta=0.95)
log = RunLog(maxlen=25)

for it in range(400):
    th = net(t_col)
    dth = torch.autograd.grad(th, t_col, torch.ones_like(th), create_graph=True)[0]
    ddth = torch.autograd.grad(dth, t_col, torch.ones_like(dth), create_graph=True)[0]
    ode = (ddth + c * dth + G_L * torch.sin(th)).pow(2).mean()
    data = (net(t_obs) - th_obs).pow(2).mean()
    t0 = torch.zeros(1, 1, requires_grad=True)
    th0 = net(t0)
    v0 = torch.autograd.grad(th0.sum(), t0, create_graph=True)[0]
    init = (th0 - 1.0).pow(2).sum() + v0.pow(2).sum()

    parts = {'ode': ode, 'data': data, 'init': init}
    if it % 10 == 0:
        # grad norms per part, graph still needed for the real backward
        bal.grad_step(parts, net.last_layer())
    loss = bal(parts)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()

    log.add(loss, parts, c)
    if it % 50 == 49:
        print(it + 1, log, bal)
        log.snapshot(net)

print('damping estimate %.3f (true %.1f)' % (c.item(), C_TRUE))
print('drift of the weights between snapshots:', ['%.2f' % d for d in log.drift()])
