import torch


class Oscillator:
    def __init__(self, d, w0):
        self.d, self.w0 = d, w0

    def exact(self, t):
        w = (self.w0 ** 2 - self.d ** 2) ** 0.5
        return torch.exp(-self.d * t) * torch.cos(w * t)

    def residual(self, net, t, mu):
        t.grad = None
        u = net(t)
        du = torch.autograd.grad(u, t, torch.ones_like(u), create_graph=True)[0]
        d2u = torch.autograd.grad(du, t, torch.ones_like(du), create_graph=True)[0]
        return d2u + mu * du + self.w0 ** 2 * u
