# gradwatch-corpus: kind=none
# about: a physics-informed net: first and second derivatives by autograd.grad with create_graph,
# about: three loss terms, Adam and then LBFGS with a closure
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Field(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
        )

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


def derivative(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


class Burgers:
    viscosity = 0.01 / torch.pi

    def __init__(self, model):
        self.model = model
        self.x = (torch.rand(64, 1) * 2 - 1).requires_grad_()
        self.t = torch.rand(64, 1).requires_grad_()
        self.x0 = torch.linspace(-1, 1, 32).unsqueeze(1)
        self.u0 = -torch.sin(torch.pi * self.x0)

    def residual(self):
        u = self.model(self.x, self.t)
        u_x, u_t = derivative(u, self.x), derivative(u, self.t)
        u_xx = derivative(u_x, self.x)
        return u_t + u * u_x - self.viscosity * u_xx

    def loss(self):
        start = self.model(self.x0, torch.zeros_like(self.x0))
        edge = self.model(torch.ones(8, 1), torch.linspace(0, 1, 8).unsqueeze(1))
        parts = {
            "residual": self.residual().pow(2).mean(),
            "start": (start - self.u0).pow(2).mean(),
            "edge": edge.pow(2).mean(),
        }
        self.parts = {k: v.item() for k, v in parts.items()}
        return sum(parts.values())


def main():
    torch.manual_seed(0)
    problem = Burgers(Field())
    adam = torch.optim.Adam(problem.model.parameters(), lr=2e-3)
    for it in range(ITERATIONS // 2):
        adam.zero_grad()
        loss = problem.loss()
        loss.backward()
        adam.step()
        if it % 50 == 0:
            print(f"adam {it}: {loss.item():.6f} {problem.parts['residual']:.6f}")
    lbfgs = torch.optim.LBFGS(problem.model.parameters(), max_iter=8, line_search_fn="strong_wolfe")

    def closure():
        lbfgs.zero_grad()
        loss = problem.loss()
        loss.backward()
        return loss

    for it in range(ITERATIONS // 30):
        loss = lbfgs.step(closure)
        print(f"lbfgs {it}: {loss.item():.6f}")


if __name__ == "__main__":
    main()
