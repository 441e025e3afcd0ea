# gradwatch-corpus: kind=none
"""PINN for u_t = k u_xx, first Adam then L-BFGS (as in the course on scientific ML)."""
import torch

torch.set_num_threads(1)
torch.manual_seed(2)
K = 0.1


class PINN(torch.nn.Module):
    def __init__(self, w=16):
        super().__init__()
        self.net = torch.nn.Sequential(
            torch.nn.Linear(2, w), torch.nn.Tanh(), torch.nn.Linear(w, w), torch.nn.Tanh(), torch.nn.Linear(w, 1)
        )

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


def d(u, v):
    return torch.autograd.grad(u, v, torch.ones_like(u), create_graph=True)[0]


def residual(model, x, t):
    x, t = x.requires_grad_(), t.requires_grad_()
    u = model(x, t)
    return d(u, t) - K * d(d(u, x), x)


class Problem:
    def __init__(self, n=40):
        self.x, self.t = torch.rand(n, 1), torch.rand(n, 1)
        self.xi = torch.linspace(0, 1, 20).unsqueeze(1)
        self.tb = torch.rand(20, 1)

    def loss(self, model):
        pde = residual(model, self.x.clone(), self.t.clone()).pow(2).mean()
        ic = (model(self.xi, torch.zeros_like(self.xi)) - torch.sin(3.14159 * self.xi)).pow(2).mean()
        bc = model(torch.zeros_like(self.tb), self.tb).pow(2).mean() + model(torch.ones_like(self.tb), self.tb).pow(2).mean()
        return pde + 5 * ic + bc


model, problem = PINN(), Problem()
history = []
adam = torch.optim.Adam(model.parameters(), lr=5e-3)
for i in range(500):
    adam.zero_grad()
    loss = problem.loss(model)
    loss.backward()
    adam.step()
    history.append(loss.item())
print(f"adam:  {history[-1]:.2e}")

lbfgs = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=10, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = problem.loss(model)
    loss.backward()
    history.append(loss.item())
    return loss


for i in range(60):
    lbfgs.step(closure)
print(f"lbfgs: {history[-1]:.2e} after {len(history)} evaluations")
