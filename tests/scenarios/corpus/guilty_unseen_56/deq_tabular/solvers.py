import torch


def damped(f, z0, max_iter=30, tol=1e-4, beta=0.8):
    """Damped Picard iteration."""
    z, rel = z0, float("inf")
    for k in range(max_iter):
        fz = f(z)
        rel = ((fz - z).norm() / (fz.norm() + 1e-8)).item()
        z = beta * fz + (1 - beta) * z
        if rel < tol:
            break
    return z, {"iters": k + 1, "rel": rel}


def unrolled(f, z0, steps=6):
    z = z0
    for _ in range(steps):
        z = f(z)
    return z
