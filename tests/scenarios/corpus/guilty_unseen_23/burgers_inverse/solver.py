from collections import defaultdict

import numpy as np
import torch
import torch.nn as nn


class DNN(nn.Module):
    def __init__(self, layers, lb, ub):
        super().__init__()
        self.lb = torch.tensor(lb).float()
        self.ub = torch.tensor(ub).float()
        mods = []
        for a, b in zip(layers[:-2], layers[1:-1]):
            mods += [nn.Linear(a, b), nn.Tanh()]
        mods.append(nn.Linear(layers[-2], layers[-1]))
        self.seq = nn.Sequential(*mods)

    def forward(self, X):
        H = 2.0 * (X - self.lb) / (self.ub - self.lb) - 1.0
        return self.seq(H)


def grad(y, x):
    return torch.autograd.grad(y, x, grad_outputs=torch.ones_like(y), create_graph=True)[0]


class InversePINN:
    def __init__(self, X_u, u, X_f, layers, lb, ub):
        self.x_u = torch.tensor(X_u[:, 0:1]).float()
        self.t_u = torch.tensor(X_u[:, 1:2]).float()
        self.u = torch.tensor(u).float()
        self.x_f = torch.tensor(X_f[:, 0:1], requires_grad=True, dtype=torch.float32)
        self.t_f = torch.tensor(X_f[:, 1:2], requires_grad=True, dtype=torch.float32)
        self.lambda_1 = nn.Parameter(torch.tensor([0.5]))
        self.lambda_2 = nn.Parameter(torch.tensor([-4.0]))
        self.dnn = DNN(layers, lb, ub)
        self.optimizer = torch.optim.Adam(
            list(self.dnn.parameters()) + [self.lambda_1, self.lambda_2], lr=2e-3)
        self.iter = 0
        self.log = defaultdict(list)

    def net_u(self, x, t):
        return self.dnn(torch.cat([x, t], dim=1))

    def net_f(self, x, t):
        u = self.net_u(x, t)
        u_t = grad(u, t)
        u_x = grad(u, x)
        u_xx = grad(u_x, x)
        return u_t + self.lambda_1 * u * u_x - torch.exp(self.lambda_2) * u_xx

    def loss_terms(self):
        loss_u = torch.mean((self.u - self.net_u(self.x_u, self.t_u)) ** 2)
        loss_f = torch.mean(self.net_f(self.x_f, self.t_f) ** 2)
        return {"data": loss_u, "pde": loss_f}

    def record(self, **values):
        self.log["iter"].append(self.iter)
        for k, v in values.items():
            self.log[k].append(v)  # <- culprit

    def train(self, nIter, verbose=50):
        self.dnn.train()
        for _ in range(nIter):
            terms = self.loss_terms()
            loss = terms["data"] + terms["pde"]
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.record(nu=np.exp(self.lambda_2.item()), **terms)
            self.iter += 1
            if self.iter % verbose == 0:
                print("It: %d, Loss: %.3e, Lambda_1: %.3f, nu: %.4f" % (
                    self.iter, loss.item(), self.lambda_1.item(), self.log["nu"][-1]))

    def history(self):
        out = {}
        for k, v in self.log.items():
            out[k] = np.array([float(a) for a in v])
        return out
