import copy

import torch


class Architect:
    """Second-order architecture gradient, with the finite-difference Hessian product."""

    def __init__(self, net, w_momentum, w_weight_decay):
        self.net = net
        self.v_net = copy.deepcopy(net)
        self.w_momentum, self.w_weight_decay = w_momentum, w_weight_decay

    def virtual_step(self, x, y, xi, w_optim):
        gradients = torch.autograd.grad(self.net.loss(x, y), self.net.weights())
        with torch.no_grad():
            for w, vw, g in zip(self.net.weights(), self.v_net.weights(), gradients):
                m = w_optim.state[w].get("momentum_buffer", 0.0) if w in w_optim.state else 0.0
                vw.copy_(w - xi * (m * self.w_momentum + g + self.w_weight_decay * w))
            for a, va in zip(self.net.alphas(), self.v_net.alphas()):
                va.copy_(a)

    def unrolled_backward(self, trn_x, trn_y, val_x, val_y, xi, w_optim):
        self.virtual_step(trn_x, trn_y, xi, w_optim)
        loss = self.v_net.loss(val_x, val_y)
        v_alphas, v_weights = self.v_net.alphas(), self.v_net.weights()
        grads = torch.autograd.grad(loss, v_alphas + v_weights)
        dalpha, dw = grads[:len(v_alphas)], grads[len(v_alphas):]
        hessian = self.compute_hessian(dw, trn_x, trn_y)
        with torch.no_grad():
            for alpha, da, h in zip(self.net.alphas(), dalpha, hessian):
                alpha.grad = da - xi * h

    def compute_hessian(self, dw, x, y):
        eps = 0.01 / torch.cat([w.view(-1) for w in dw]).norm()
        sides = []
        for sign in (1.0, -2.0):
            with torch.no_grad():
                for p, d in zip(self.net.weights(), dw):
                    p += sign * eps * d
            sides.append(torch.autograd.grad(self.net.loss(x, y), self.net.alphas()))
        with torch.no_grad():
            for p, d in zip(self.net.weights(), dw):
                p += eps * d
        return [(p - n) / (2.0 * eps) for p, n in zip(*sides)]
