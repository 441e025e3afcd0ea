# gradwatch-corpus: kind=none
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class DoseResponse(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.hidden(x))).squeeze(-1)


class NewtonCG:
    def __init__(self, params, damping=1.0, cg_steps=5):
        self.params = list(params)
        self.damping, self.cg_steps = damping, cg_steps
        self.last_direction = None
        self.residuals = deque(maxlen=20)
        self.grad = None

    def hvp(self, vec):
        dot = (self.grad * vec).sum()
        parts = torch.autograd.grad(dot, self.params, retain_graph=True)
        return parameters_to_vector(parts).detach() + self.damping * vec

    def solve(self, b):
        x = torch.zeros_like(b) if self.last_direction is None else 0.5 * self.last_direction
        r = b - self.hvp(x)
        p, rs = r.clone(), r.dot(r)
        for _ in range(self.cg_steps):
            ap = self.hvp(p)
            curve = p.dot(ap)
            if curve <= 0:
                break
            a = rs / curve
            x, r = x + a * p, r - a * ap
            new = r.dot(r)
            p, rs = r + (new / rs) * p, new
            if rs < 1e-8:
                break
        self.residuals.append(rs)
        return x

    def step(self, closure):
        loss = closure()
        parts = torch.autograd.grad(loss, self.params, create_graph=True)
        self.grad = parameters_to_vector(parts)
        direction = self.solve(-self.grad.detach())
        self.grad = None
        with torch.no_grad():
            flat = parameters_to_vector(self.params).clone()
            vector_to_parameters(flat + direction, self.params)
            fresh = closure().item()
            if fresh > loss.item():
                vector_to_parameters(flat, self.params)
                self.damping = min(self.damping * 2, 100.0)
            else:
                self.damping = max(self.damping * 0.8, 1e-2)
        self.last_direction = direction
        return loss.item()


def assays(n, gen):
    x = torch.rand(n, 4, generator=gen) * 2 - 1
    y = torch.sigmoid(4 * x[:, 0] + x[:, 1] * x[:, 2]) + 0.1 * x[:, 3]
    return x, y + 0.02 * torch.randn(n, generator=gen)


def main():
    torch.manual_seed(15)
    gen = torch.Generator().manual_seed(15)
    model = DoseResponse()
    solver = NewtonCG(model.parameters())
    x, y = assays(400, gen)
    curve = []
    for it in range(420):
        idx = torch.randint(0, 400, (200,), generator=gen)
        curve.append(solver.step(lambda: F.mse_loss(model(x[idx]), y[idx])))
        if it % 70 == 69:
            res = torch.stack(list(solver.residuals)).mean().item()
            print(it + 1, f"mse {sum(curve[-30:]) / 30:.5f} damping {solver.damping:.3f} cg {res:.1e}")


if __name__ == "__main__":
    main()
