# gradwatch-corpus: kind=none
# after: maziarraissi-style PyTorch PINNs (Adam, then LBFGS with a closure; self.iter, self.loss kept on the object)
import torch
from torch import nn
from .physics import residual, initial


class PhysicsInformedNN:
    def __init__(self, kappa=0.1, n_f=96):
        torch.manual_seed(1234)
        self.net = nn.Sequential(nn.Linear(2, 20), nn.Tanh(), nn.Linear(20, 20), nn.Tanh(), nn.Linear(20, 1))
        self.kappa = kappa
        self.t_f, self.x_f = torch.rand(n_f, 1), torch.rand(n_f, 1)
        self.x0 = torch.linspace(0, 1, 40)[:, None]
        self.tb = torch.rand(40, 1)
        self.iter = 0
        self.loss = None
        self.weights = {"f": 1.0, "ic": 1.0, "bc": 1.0}
        self.history = []
        self.adam = torch.optim.Adam(self.net.parameters(), 2e-3)
        self.lbfgs = torch.optim.LBFGS(self.net.parameters(), lr=0.5, max_iter=3, history_size=10, line_search_fn="strong_wolfe")

    def terms(self):
        f = residual(self.net, self.t_f, self.x_f, self.kappa)
        ic = self.net(torch.cat([torch.zeros_like(self.x0), self.x0], 1)) - initial(self.x0)
        bc = torch.cat([self.net(torch.cat([self.tb, torch.full_like(self.tb, v)], 1)) for v in (0.0, 1.0)])
        return {"f": f.square().mean(), "ic": ic.square().mean(), "bc": bc.square().mean()}

    def balance(self, terms, every=10, mu=0.9):
        if self.iter % every:
            return
        norms = {}
        for k, v in terms.items():
            g = torch.autograd.grad(v, list(self.net.parameters()), retain_graph=True, allow_unused=True)
            norms[k] = sum(x.abs().mean().item() for x in g if x is not None)
        top = max(norms.values())
        for k in norms:
            self.weights[k] = mu * self.weights[k] + (1 - mu) * top / (norms[k] + 1e-9)

    def loss_func(self):
        self.adam.zero_grad()
        terms = self.terms()
        self.balance(terms)
        self.loss = sum(self.weights[k] * v for k, v in terms.items())
        self.loss.backward()
        self.iter += 1
        self.history.append({k: v.item() for k, v in terms.items()})
        return self.loss

    def train(self, n_adam=50, n_lbfgs=40):
        for _ in range(n_adam):
            self.loss_func()
            self.adam.step()
        for _ in range(n_lbfgs):
            self.lbfgs.step(self.loss_func)
        print(self.iter, "evaluations", self.history[-1])


PhysicsInformedNN().train()
