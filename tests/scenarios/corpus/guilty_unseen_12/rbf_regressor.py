# gradwatch-corpus: kind=second-backward
# holder: self._phi_cache | self._phi_cache[key] | model._phi_cache | est._phi_cache | phi
# also: graph-held
# first-bad: 12
"""An RBF network with the scikit-learn interface (fit / predict / score / get_params), for the soil moisture data of
the hydrology group."""
import inspect
import math

import torch

torch.set_num_threads(1)


class BaseEstimator:
    def get_params(self, deep=True):
        names = inspect.signature(type(self).__init__).parameters
        return {n: getattr(self, n) for n in names if n != "self"}

    def set_params(self, **kw):
        for k, v in kw.items():
            setattr(self, k, v)
        return self

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params().items())})"


class RegressorMixin:
    def score(self, X, y):
        res = y - self.predict(X)
        return 1.0 - (res ** 2).sum().item() / ((y - y.mean()) ** 2).sum().item()


def check_X_y(X, y):
    if len(X) != len(y):
        raise ValueError(f"Found inputs with inconsistent numbers of samples: {len(X)}, {len(y)}")
    return torch.as_tensor(X, dtype=torch.float32), torch.as_tensor(y, dtype=torch.float32)


class StandardScaler:
    def fit_transform(self, X):
        self.mean_, self.scale_ = X.mean(0), X.std(0) + 1e-8
        return self.transform(X)

    def transform(self, X):
        return (X - self.mean_) / self.scale_


class RBFNetRegressor(BaseEstimator, RegressorMixin):
    def __init__(self, n_centers=40, alpha=1e-4, learning_rate=0.01, max_epochs=40, n_blocks=12,
                 warm_start=False, verbose=0, random_state=None):
        self.n_centers = n_centers
        self.alpha = alpha
        self.learning_rate = learning_rate
        self.max_epochs = max_epochs
        self.n_blocks = n_blocks
        self.warm_start = warm_start
        self.verbose = verbose
        self.random_state = random_state

    def _init_params(self, X):
        g = torch.Generator().manual_seed(self.random_state or 0)
        pick = torch.randperm(len(X), generator=g)[: self.n_centers]
        self.centers_ = X[pick].clone().requires_grad_()
        self.log_gamma_ = torch.tensor(math.log(0.5), requires_grad=True)
        self.coef_ = torch.zeros(self.n_centers, requires_grad=True)
        self.intercept_ = torch.zeros((), requires_grad=True)
        self._optimizer = torch.optim.Adam(
            [self.centers_, self.log_gamma_, self.coef_, self.intercept_], lr=self.learning_rate)
        self._phi_cache = {}

    def _phi(self, X):
        d2 = ((X[:, None, :] - self.centers_[None]) ** 2).sum(-1)
        return torch.exp(-self.log_gamma_.exp() * d2)

    def _features(self, X, key):
        # the distances are the expensive part
        phi = self._phi_cache.get(key)
        if phi is None:
            phi = self._phi_cache[key] = self._phi(X)  # <- culprit
        return phi

    def _block_loss(self, X, y, key):
        pred = self._features(X, key) @ self.coef_ + self.intercept_
        return ((pred - y) ** 2).mean() + self.alpha * (self.coef_ ** 2).sum()

    def _fit_block(self, X, y, key):
        self._optimizer.zero_grad()
        loss = self._block_loss(X, y, key)
        loss.backward()
        self._optimizer.step()
        return loss.item()

    def fit(self, X, y):
        X, y = check_X_y(X, y)
        if not (self.warm_start and hasattr(self, "centers_")):
            self._init_params(X)
        Xb, yb = X.tensor_split(self.n_blocks), y.tensor_split(self.n_blocks)
        self.loss_curve_ = []
        for epoch in range(self.max_epochs):
            total = 0.0
            for i in range(self.n_blocks):
                total += self._fit_block(Xb[i], yb[i], key=i)
            self.loss_curve_.append(total / self.n_blocks)
            if self.verbose and epoch % 10 == 0:
                print(f"Epoch {epoch}, loss {self.loss_curve_[-1]:.5f}")
        self.n_iter_ = self.max_epochs * self.n_blocks
        return self

    @torch.no_grad()
    def predict(self, X):
        return self._phi(X) @ self.coef_ + self.intercept_


def load_soil(n=720, seed=4):
    g = torch.Generator().manual_seed(seed)
    X = torch.rand(n, 5, generator=g) * torch.tensor([30.0, 1.0, 100.0, 12.0, 5.0])
    y = 0.4 * torch.sin(X[:, 0] / 5) + X[:, 1] * X[:, 2] / 100 + 0.05 * torch.randn(n, generator=g)
    return X, y


if __name__ == "__main__":
    X, y = load_soil()
    scaler = StandardScaler()
    X_train, y_train = scaler.fit_transform(X[:600]), y[:600]
    est = RBFNetRegressor(verbose=1, random_state=0)
    print(est)
    est.fit(X_train, y_train)
    print("R^2 on held-out rows:", round(est.score(scaler.transform(X[600:]), y[600:]), 3))
