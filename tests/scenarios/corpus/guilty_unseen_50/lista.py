# gradwatch-corpus: kind=inplace-modified
# holder: D
# first-bad: 10
"""Dictionary learning through unrolled ISTA; plain SGD on the atoms."""
import torch

torch.manual_seed(9)
m, K, s = 32, 48, 3


def soft(z, th):
    return torch.sign(z) * torch.relu(z.abs() - th)


def batch(D, n):
    A = torch.zeros(n, K)
    i = torch.stack([torch.randperm(K)[:s] for _ in range(n)])
    A.scatter_(1, i, torch.randn(n, s).sign() * (0.5 + torch.rand(n, s)))
    return A @ D.T + 0.02 * torch.randn(n, m)


def unit(D):
    return D / D.norm(dim=0, keepdim=True)


def ista(D, lt, X, T=8):
    c = 1.0 / torch.linalg.matrix_norm(D.detach(), 2) ** 2
    Z = X.new_zeros(len(X), K)
    for _ in range(T):
        Z = soft(Z - c * (Z @ D.T - X) @ D, c * torch.exp(lt))
    return Z


def match(D, D0):
    C = (unit(D).T @ D0).abs()
    return C.max(0).values.mean().item()


def loss_fn(D, lt, X):
    Z = ista(D, lt, X)
    rec = 0.5 * (X - Z @ D.T).pow(2).sum(1).mean()
    return rec, Z.abs().sum(1).mean(), Z


D0 = unit(torch.randn(m, K))
D = unit(D0 + 0.7 * torch.randn(m, K) / m**0.5).requires_grad_()
lt = torch.tensor(-2.0, requires_grad=True)
eta, mom = 0.4, 0.9
vD = torch.zeros(m, K)

for it in range(300):
    X = batch(D0, 64)
    rec, l1, Z = loss_fn(D, lt, X)
    f = rec + 0.05 * l1
    if it and it % 10 == 0:
        with torch.no_grad():
            D /= D.norm(dim=0, keepdim=True)  # <- culprit
            dead = (Z.abs() > 1e-6).float().mean(0) < 1e-3
            n_dead = int(dead.sum())
    f.backward()
    with torch.no_grad():
        vD.mul_(mom).add_(D.grad, alpha=1 - mom)
        D -= eta * vD
        lt -= 0.02 * lt.grad
    D.grad = lt.grad = None
    if it % 5 == 0:
        print(f"{it:4d}  f {f.item():.4f}  nnz {(Z.detach() != 0).float().sum(1).mean():.1f}  match {match(D.detach(), D0):.3f}")

print("atoms recovered:", match(D.detach(), D0), "dead:", n_dead)
