# gradwatch-corpus: kind=none
import math
import torch
torch.set_num_threads(1)
from torch.autograd import grad

torch.manual_seed(1234)


class PINN(torch.nn.Module):
    def __init__(self, layers=(2, 16, 16, 1)):
        super().__init__()
        self.lin = torch.nn.ModuleList(torch.nn.Linear(a, b) for a, b in zip(layers, layers[1:]))
        self.lambda_pde = torch.nn.Parameter(torch.zeros(()))

    def u(self, x, t):
        h = torch.cat([x, t], 1)
        for l in self.lin[:-1]:
            h = torch.tanh(l(h))
        return self.lin[-1](h)

    def f(self, x, t, nu=0.01 / math.pi):
        u = self.u(x, t)
        u_t = grad(u, t, torch.ones_like(u), create_graph=True)[0]
        u_x = grad(u, x, torch.ones_like(u), create_graph=True)[0]
        u_xx = grad(u_x, x, torch.ones_like(u), create_graph=True)[0]
        return u_t + u * u_x - nu * u_xx


x0 = torch.linspace(-1, 1, 40)[:, None]
u0 = -torch.sin(math.pi * x0)
net = PINN()
adam = torch.optim.Adam(net.parameters(), lr=2e-3)
log = []
for it in range(900):
    x = (2 * torch.rand(64, 1) - 1).requires_grad_()
    t = torch.rand(64, 1).requires_grad_()
    loss_ic = (net.u(x0, torch.zeros_like(x0)) - u0).pow(2).mean()
    loss_f = net.f(x, t).pow(2).mean()
    loss = loss_ic + torch.exp(-net.lambda_pde) * loss_f + 0.1 * net.lambda_pde
    adam.zero_grad()
    loss.backward()
    adam.step()
    log.append((loss_ic.item(), loss_f.item()))
print("adam", log[-1])

xc = (2 * torch.rand(64, 1) - 1).requires_grad_()
tc = torch.rand(64, 1).requires_grad_()
lbfgs = torch.optim.LBFGS(net.lin.parameters(), max_iter=5, history_size=10)


def closure():
    lbfgs.zero_grad()
    l = (net.u(x0, torch.zeros_like(x0)) - u0).pow(2).mean() + net.f(xc, tc).pow(2).mean()
    l.backward()
    return l


for k in range(40):
    last = lbfgs.step(closure)
print("lbfgs", last.item())
