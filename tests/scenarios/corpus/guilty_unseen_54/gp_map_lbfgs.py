# gradwatch-corpus: kind=second-backward
# holder: prior
# first-bad: 0
"""MAP fit of GP hyperparameters with L-BFGS."""
import math

import torch


class GPModel(torch.nn.Module):
    def __init__(self, X, y):
        super().__init__()
        self.X, self.y = X, y
        self.log_ell = torch.nn.Parameter(torch.zeros(X.shape[1]))
        self.log_amp = torch.nn.Parameter(torch.zeros(()))
        self.log_noise = torch.nn.Parameter(torch.tensor(-1.0))

    def gram(self, A, B):
        a, b = A / self.log_ell.exp(), B / self.log_ell.exp()
        sq = (a[:, None] - b[None]).pow(2).sum(-1)
        return (2 * self.log_amp).exp() * torch.exp(-0.5 * sq)

    def neg_log_marginal(self):
        n = len(self.X)
        K = self.gram(self.X, self.X) + (self.log_noise.exp() ** 2 + 1e-5) * torch.eye(n)
        L = torch.linalg.cholesky(K)
        alpha = torch.cholesky_solve(self.y[:, None], L)
        return 0.5 * (self.y @ alpha).squeeze() + L.diagonal().log().sum() + 0.5 * n * math.log(2 * math.pi)

    def log_prior(self):
        lp = -0.5 * ((self.log_ell - 0.3) / 0.8).pow(2).sum()
        lp = lp - 0.5 * (self.log_amp / 1.0).pow(2)
        return lp - 0.5 * ((self.log_noise + 2.0) / 0.7).pow(2)

    @torch.no_grad()
    def predict(self, Z):
        K = self.gram(self.X, self.X) + self.log_noise.exp() ** 2 * torch.eye(len(self.X))
        return self.gram(Z, self.X) @ torch.linalg.solve(K, self.y)


def make_data(n):
    X = 4 * torch.rand(n, 3, dtype=torch.float64) - 2
    f = torch.sin(1.5 * X[:, 0]) + 0.4 * X[:, 1] ** 2
    return X, f + 0.1 * torch.randn(n, dtype=torch.float64)


def fit(model, rounds=70, inner=4):
    optimizer = torch.optim.LBFGS(model.parameters(), lr=0.3, max_iter=inner, history_size=8)
    for r in range(rounds):
        prior = model.log_prior()  # <- culprit

        def closure():
            optimizer.zero_grad()
            objective = model.neg_log_marginal() - prior
            objective.backward()
            return objective

        value = optimizer.step(closure)
        if r % 10 == 0:
            print(f"round {r}: objective {value.item():.4f} ell {[round(e, 2) for e in model.log_ell.exp().tolist()]}")


if __name__ == "__main__":
    torch.manual_seed(8)
    torch.set_default_dtype(torch.float64)
    X, y = make_data(90)
    Xt, yt = make_data(50)
    gp = GPModel(X, y)
    fit(gp)
    print("test rmse", (gp.predict(Xt) - yt).pow(2).mean().sqrt().item())
