# gradwatch-corpus: kind=none
"""Probit with heteroskedastic errors, maximum likelihood by plain gradient ascent on a dict of estimates."""
import torch


def simulate(n, gen):
    x = torch.randn(n, 5, generator=gen)
    z = torch.randn(n, 2, generator=gen)
    beta = torch.tensor([0.8, -0.5, 0.3, 0.0, 0.2])
    gamma = torch.tensor([0.4, -0.2])
    noise = torch.exp(z @ gamma) * torch.randn(n, generator=gen)
    return x, z, (x @ beta + noise > 0).float()


def loglik(theta, x, z, y):
    index = (x @ theta["beta"]) / torch.exp(z @ theta["gamma"])
    p = torch.special.ndtr(index).clamp(1e-6, 1 - 1e-6)
    return (y * p.log() + (1 - y) * (1 - p).log()).mean()


def ascend(theta, ll, lr):
    names = list(theta)
    grads = torch.autograd.grad(ll, [theta[n] for n in names])
    fresh = {}
    for name, g in zip(names, grads):
        moved = theta[name] + lr * g
        fresh[name] = moved.detach().requires_grad_()
    return fresh


def standard_errors(theta, x, z, y):
    vec = torch.cat([theta["beta"], theta["gamma"]]).detach()

    def f(v):
        return len(y) * loglik({"beta": v[:5], "gamma": v[5:]}, x, z, y)

    hess = torch.autograd.functional.hessian(f, vec)
    return torch.linalg.inv(-hess).diagonal().clamp_min(0).sqrt()


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(99)
    x, z, y = simulate(4000, gen)
    theta = {"beta": torch.zeros(5, requires_grad=True), "gamma": torch.zeros(2, requires_grad=True)}
    path = []
    polyak = None
    for it in range(150):
        rows = torch.randint(0, len(y), (512,), generator=gen)
        ll = loglik(theta, x[rows], z[rows], y[rows])
        theta = ascend(theta, ll, lr=0.8 / (1 + 0.01 * it))
        path.append(ll.item())
        with torch.no_grad():
            current = theta["beta"].clone()
            polyak = current if polyak is None else 0.9 * polyak + 0.1 * current
        if it % 50 == 49:
            print(f"iter {it + 1} loglik {sum(path[-50:]) / 50:.4f} beta {[round(b, 2) for b in polyak.tolist()]}")
    print("s.e.", [round(s, 3) for s in standard_errors(theta, x, z, y).tolist()])


if __name__ == "__main__":
    main()
