import torch
from torch.autograd import grad


class Multipliers:
    def __init__(self, n, rho):
        self.lam = torch.zeros(n)
        self.rho = rho

    def term(self, c):
        return (self.lam * c).sum() + 0.5 * self.rho * (c * c).sum()

    def ascend(self, c):
        self.lam = self.lam + self.rho * c.detach()


class FinTerms:
    def __init__(self, biot, points):
        self.m2, self.points = biot, points

    def draw(self):
        return torch.rand(self.points, 1, requires_grad=True)

    def equation(self, net, x):
        u = net(x)
        ux, = grad(u.sum(), x, create_graph=True)
        uxx, = grad(ux.sum(), x, create_graph=True)
        return (uxx - self.m2 * net(x)).pow(2).mean()

    def ends(self, net):
        a = torch.zeros(1, 1)
        b = torch.ones(1, 1, requires_grad=True)
        slope, = grad(net(b).sum(), b, create_graph=True)
        return torch.cat([(net(a) - 1).flatten(), slope.flatten()])
