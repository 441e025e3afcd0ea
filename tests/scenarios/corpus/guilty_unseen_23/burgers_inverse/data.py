import numpy as np


def exact(x, t, nu=0.05):
    """travelling wave of viscous Burgers, u_t + u u_x = nu u_xx"""
    return 0.5 * (1 - np.tanh((x - 0.5 * t) / (4 * nu)))


def make_observations(n_u=300, n_f=800, noise=0.01, seed=1234):
    rng = np.random.RandomState(seed)
    lb, ub = np.array([-1.0, 0.0]), np.array([1.0, 1.0])
    X_u = lb + (ub - lb) * rng.rand(n_u, 2)
    u = exact(X_u[:, 0:1], X_u[:, 1:2])
    u = u + noise * np.std(u) * rng.randn(*u.shape)
    X_f = lb + (ub - lb) * rng.rand(n_f, 2)
    return X_u, u, X_f, lb, ub
