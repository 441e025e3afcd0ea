# gradwatch-corpus: kind=none
# PINN for the viscous Burgers equation: Adam warm start, then L-BFGS.
import math

import torch
import torch.nn as nn

torch.manual_seed(1234)
torch.set_num_threads(1)


class PhysicsInformedNN:
    def __init__(self, nu=0.1 / math.pi, nf=120, nu_pts=40):
        self.nu = nu
        layers = []
        for i, o in [(2, 20), (20, 20), (20, 20)]:
            layers += [nn.Linear(i, o), nn.Tanh()]
        self.dnn = nn.Sequential(*layers, nn.Linear(20, 1))

        x0 = torch.rand(nu_pts, 1) * 2 - 1
        tb = torch.rand(nu_pts, 1)
        xb = torch.where(torch.rand(nu_pts, 1) < 0.5, -1.0, 1.0)
        self.xu = torch.cat([torch.cat([x0, torch.zeros_like(x0)], 1), torch.cat([xb, tb], 1)])
        self.u = torch.cat([-torch.sin(math.pi * x0), torch.zeros_like(tb)])
        self.x_f = (torch.rand(nf, 1) * 2 - 1).requires_grad_(True)
        self.t_f = torch.rand(nf, 1).requires_grad_(True)

        self.adam = torch.optim.Adam(self.dnn.parameters(), lr=5e-3)
        self.lbfgs = torch.optim.LBFGS(self.dnn.parameters(), lr=1.0, max_iter=60, max_eval=75,
                                       history_size=30, line_search_fn="strong_wolfe")
        self.iter = 0
        self.loss_log = []

    def net_u(self, x, t):
        return self.dnn(torch.cat([x, t], dim=1))

    def net_f(self, x, t):
        u = self.net_u(x, t)
        ones = torch.ones_like(u)
        u_t = torch.autograd.grad(u, t, grad_outputs=ones, retain_graph=True, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=ones, retain_graph=True, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=ones, retain_graph=True, create_graph=True)[0]
        return u_t + u * u_x - self.nu * u_xx

    def compute(self):
        u_pred = self.net_u(self.xu[:, :1], self.xu[:, 1:])
        f_pred = self.net_f(self.x_f, self.t_f)
        return torch.mean((self.u - u_pred) ** 2), torch.mean(f_pred ** 2)

    def loss_func(self):
        self.lbfgs.zero_grad()
        loss_u, loss_f = self.compute()
        loss = loss_u + loss_f
        loss.backward()
        self.iter += 1
        self.loss_log.append(float(loss))
        if self.iter % 25 == 0:
            print("Iter %d, Loss: %.5e, Loss_u: %.5e, Loss_f: %.5e"
                  % (self.iter, loss.item(), loss_u.item(), loss_f.item()))
        return loss

    def train(self):
        self.dnn.train()
        for _ in range(80):
            self.adam.zero_grad()
            self.loss_func()
            self.adam.step()
        self.lbfgs.step(self.loss_func)


model = PhysicsInformedNN()
model.train()
print("final", model.loss_log[-1], "after", model.iter, "evaluations")
