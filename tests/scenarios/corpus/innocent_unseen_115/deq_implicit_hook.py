# gradwatch-corpus: kind=none
"""Deep equilibrium regression with the exact implicit gradient (backward-hook recipe).

The structure is that of the DEQ tutorial (Kolter, Duvenaud, Johnson, NeurIPS 2020), with
warm-started solves: the last equilibrium of each sample is the next initial guess.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


def anderson(f, x0, m=3, lam=1e-4, max_iter=10, tol=1e-3, beta=1.0):
    """Anderson acceleration for fixed-point iteration."""
    bsz, d = x0.shape
    X = torch.zeros(bsz, m, d)
    Fx = torch.zeros(bsz, m, d)
    X[:, 0], Fx[:, 0] = x0, f(x0)
    X[:, 1], Fx[:, 1] = Fx[:, 0], f(Fx[:, 0])
    H = torch.zeros(bsz, m + 1, m + 1)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    y = torch.zeros(bsz, m + 1, 1)
    y[:, 0] = 1
    res = []
    for k in range(2, max_iter):
        n = min(k, m)
        G = Fx[:, :n] - X[:, :n]
        H[:, 1:n + 1, 1:n + 1] = torch.bmm(G, G.transpose(1, 2)) + lam * torch.eye(n)[None]
        alpha = torch.linalg.solve(H[:, :n + 1, :n + 1], y[:, :n + 1])[:, 1:n + 1, 0]
        X[:, k % m] = beta * (alpha[:, None] @ Fx[:, :n])[:, 0] + (1 - beta) * (alpha[:, None] @ X[:, :n])[:, 0]
        Fx[:, k % m] = f(X[:, k % m])
        res.append((Fx[:, k % m] - X[:, k % m]).norm().item() / (1e-5 + Fx[:, k % m].norm().item()))
        if res[-1] < tol:
            break
    return X[:, k % m], res


class Injection(nn.Module):
    def __init__(self, d_in, d):
        super().__init__()
        self.W = nn.Linear(d, d, bias=False)
        self.U = nn.Linear(d_in, d)
        nn.init.orthogonal_(self.W.weight, gain=0.6)

    def forward(self, z, x):
        return torch.tanh(self.W(z) + self.U(x))


class DEQFixedPoint(nn.Module):
    def __init__(self, f, solver, n_samples, d):
        super().__init__()
        self.f, self.solver = f, solver
        self.hook = None
        self.register_buffer("warm", torch.zeros(n_samples, d))
        self.forward_res, self.backward_res = [], []

    def forward(self, x, idx):
        with torch.no_grad():
            z, res = self.solver(lambda z: self.f(z, x), self.warm[idx])
            self.forward_res.append(res[-1])
        z = self.f(z, x)
        self.warm[idx] = z.detach()

        if not torch.is_grad_enabled():
            return z

        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def backward_hook(grad):
            if self.hook is not None:
                self.hook.remove()
                self.hook = None
            g, res = self.solver(lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)
            self.backward_res.append(res[-1])
            return g

        self.hook = z.register_hook(backward_hook)
        return z


def make_data(n, d_in):
    x = torch.randn(n, d_in)
    y = torch.sin(x[:, :1] * 2) + x[:, 1:2] * x[:, 2:3]
    return x, y + 0.02 * torch.randn_like(y)


def main(epochs=10, n=480, batch=16, d_in=5, d=20, seed=30):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    x, y = make_data(n, d_in)
    deq = DEQFixedPoint(Injection(d_in, d), anderson, n, d)
    head = nn.Linear(d, 1)
    opt = torch.optim.Adam([*deq.parameters(), *head.parameters()], lr=4e-3)

    for epoch in range(epochs):
        tot = 0.0
        for idx in torch.randperm(n).split(batch):
            loss = F.mse_loss(head(deq(x[idx], idx)), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        k = n // batch
        print(f"epoch {epoch}  mse {tot / n:.4f}  fwd res {sum(deq.forward_res[-k:]) / k:.1e}  "
              f"bwd res {sum(deq.backward_res[-k:]) / k:.1e}")


if __name__ == "__main__":
    main()
