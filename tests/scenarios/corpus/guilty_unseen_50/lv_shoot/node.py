import torch


def init(d, h):
    p = {
        "A": torch.randn(h, d) / d**0.5,
        "a": torch.zeros(h),
        "B": torch.randn(d, h) * 0.1 / h**0.5,
        "b": torch.zeros(d),
    }
    return {k: v.requires_grad_() for k, v in p.items()}


def rhs(p, z):
    return z * (p["B"] @ torch.tanh(p["A"] @ z + p["a"]) + p["b"])


def rk4(f, p, z, dt):
    k1 = f(p, z)
    k2 = f(p, z + dt / 2 * k1)
    k3 = f(p, z + dt / 2 * k2)
    k4 = f(p, z + dt * k3)
    return z + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def odeint(f, p, z0, dt, n):
    zs = [z0]
    for _ in range(n):
        zs.append(rk4(f, p, zs[-1], dt))
    return torch.stack(zs)
