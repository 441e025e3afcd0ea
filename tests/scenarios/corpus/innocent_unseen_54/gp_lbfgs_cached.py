# gradwatch-corpus: kind=none
"""GP hyperparameters by L-BFGS; factors of the best fit are cached for prediction."""
import math

import torch


class CachedGP(torch.nn.Module):
    def __init__(self, X, y):
        super().__init__()
        self.X, self.y = X, y
        self.raw = torch.nn.ParameterDict({
            "ell": torch.nn.Parameter(torch.zeros(X.shape[1])),
            "amp": torch.nn.Parameter(torch.zeros(())),
            "noise": torch.nn.Parameter(torch.tensor(-1.0)),
        })
        self.cache = {}
        self.best = math.inf

    def gram(self, A, B):
        a, b = A / self.raw["ell"].exp(), B / self.raw["ell"].exp()
        return self.raw["amp"].exp() * torch.exp(-0.5 * (a[:, None] - b[None]).pow(2).sum(-1))

    def objective(self):
        K = self.gram(self.X, self.X) + (self.raw["noise"].exp() + 1e-5) * torch.eye(len(self.X))
        L = torch.linalg.cholesky(K)
        alpha = torch.cholesky_solve(self.y[:, None], L)
        nlml = 0.5 * (self.y @ alpha).squeeze() + L.diagonal().log().sum()
        prior = sum(0.5 * (p ** 2).sum() for p in self.raw.values())
        value = nlml + prior
        if value.item() < self.best:
            self.best = value.item()
            self.cache = {"L": L.detach(), "alpha": alpha.detach(),
                          "theta": {k: p.detach().clone() for k, p in self.raw.items()}}
        return value

    @torch.no_grad()
    def predict(self, Z):
        for k, v in self.cache["theta"].items():
            self.raw[k].copy_(v)
        Ks = self.gram(Z, self.X)
        V = torch.linalg.solve_triangular(self.cache["L"], Ks.T, upper=False)
        return (Ks @ self.cache["alpha"]).squeeze(-1), self.raw["amp"].exp() - V.pow(2).sum(0)


def surface(n):
    X = 4 * torch.rand(n, 2) - 2
    return X, torch.sin(2 * X[:, 0]) * torch.cos(X[:, 1]) + 0.05 * torch.randn(n)


def main():
    torch.manual_seed(31)
    torch.set_default_dtype(torch.float64)
    X, y = surface(80)
    Z, yz = surface(60)
    gp = CachedGP(X, y)
    opt = torch.optim.LBFGS(gp.parameters(), lr=0.2, max_iter=3, history_size=6)
    values = []

    def closure():
        opt.zero_grad()
        value = gp.objective()
        value.backward()
        return value

    for r in range(70):
        values.append(opt.step(closure).detach().item())
        if r % 14 == 0:
            print(f"round {r}: {values[-1]:.4f}")
    mu, var = gp.predict(Z)
    print(f"best {gp.best:.4f}  rmse {(mu - yz).pow(2).mean().sqrt():.4f}  mean sd {var.clamp(min=0).sqrt().mean():.4f}")


if __name__ == "__main__":
    main()
