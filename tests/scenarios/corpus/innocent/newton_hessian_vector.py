# gradwatch-corpus: kind=none
# about: Newton by conjugate gradients: the gradient's graph is walked again and again for
# about: Hessian-vector products (retain_graph=True), a dozen to a step; no torch optimizer
import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class NewtonCG:
    def __init__(self, model, damping=1.0, most=12):
        self.model, self.damping, self.most = model, damping, most
        self.params = list(model.parameters())

    def flat(self, tensors):
        return torch.cat([t.reshape(-1) for t in tensors])

    def solve(self, hvp, b):
        x, r = torch.zeros_like(b), b.clone()
        p, rr = r.clone(), r @ r
        for n in range(self.most):
            hp = hvp(p)
            alpha = rr / (p @ hp)
            x, r = x + alpha * p, r - alpha * hp
            new = r @ r
            if new < 1e-8:
                break
            p, rr = r + new / rr * p, new
        return x, n + 1

    def step(self, loss):
        grads = torch.autograd.grad(loss, self.params, create_graph=True)
        g = self.flat(grads)

        def hvp(v):
            hv = torch.autograd.grad(g @ v, self.params, retain_graph=True)
            return self.flat(hv) + self.damping * v

        direction, used = self.solve(hvp, g.detach())
        with torch.no_grad():
            vector_to_parameters(parameters_to_vector(self.params) - direction, self.params)
        return used


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = classes(128)
    model = nn.Sequential(nn.Linear(16, 8), nn.Softplus(), nn.Linear(8, 4))
    newton = NewtonCG(model)
    for it in range(ITERATIONS // 6):
        rows = torch.randint(0, 128, (64,))
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        used = newton.step(loss)
        if it % 10 == 0:
            print(f"{it}: {loss.item():.6f} in {used} products")
