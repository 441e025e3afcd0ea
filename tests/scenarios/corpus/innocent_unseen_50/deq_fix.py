# gradwatch-corpus: kind=none
"""Deep equilibrium layer on a sparse graph Laplacian; implicit backward in a hook."""
import torch
import torch.nn.functional as F

torch.manual_seed(13)


def ring(n, hops=(1, 2, 7)):
    i = torch.arange(n)
    ei = torch.cat([torch.stack([i, (i + h) % n]) for h in hops] + [torch.stack([(i + h) % n, i]) for h in hops], 1)
    w = torch.full((ei.shape[1],), 1.0 / (2 * len(hops)))
    return torch.sparse_coo_tensor(ei, w, (n, n), check_invariants=True).coalesce()


class Fix:
    """z* = g(z*, x). Parameters are a plain dict, the solver is Picard with damping."""

    def __init__(self, d, h, o):
        k = 1 / h**0.5
        self.p = {
            "W": 0.5 * k * torch.randn(h, h),
            "U": torch.randn(d, h) / d**0.5,
            "c": torch.zeros(h),
            "V": k * torch.randn(h, o),
        }
        for v in self.p.values():
            v.requires_grad_()
        self.nf, self.nb = [], []
        self.tol, self.kmax = 1e-4, 40

    def g(self, z, x, A):
        p = self.p
        return torch.tanh(torch.sparse.mm(A, z) @ p["W"] * 0.7 + x @ p["U"] + p["c"])

    def picard(self, fn, z):
        for k in range(self.kmax):
            zn = fn(z)
            e = (zn - z).norm() / (zn.norm() + 1e-9)
            z = zn
            if e < self.tol:
                break
        return z, k + 1

    def __call__(self, x, A):
        with torch.no_grad():
            z, k = self.picard(lambda s: self.g(s, x, A), x.new_zeros(len(x), self.p["c"].numel()))
            self.nf.append(k)
        z = self.g(z, x, A)

        z0 = z.detach().requires_grad_()
        f0 = self.g(z0, x.detach(), A)

        def implicit(gr):
            u, k = self.picard(lambda v: torch.autograd.grad(f0, z0, v, retain_graph=True)[0] + gr, gr)
            self.nb.append(k)
            return u

        z.register_hook(implicit)
        return z @ self.p["V"]


n, d = 120, 6
A = ring(n)
X = torch.randn(n, d)
with torch.no_grad():
    S = X.clone()
    for _ in range(5):
        S = 0.5 * torch.sparse.mm(A, S) + 0.5 * X
    lab = (S[:, 0] * 3 + S[:, 1] - S[:, 2] ** 2).unsqueeze(1)
    lab = (lab - lab.mean()) / lab.std()
tr = torch.rand(n) < 0.6

net = Fix(d, 24, 1)
opt = torch.optim.Adam(net.p.values(), lr=8e-3)
hist = {"tr": [], "va": []}
for it in range(80):
    out = net(X, A)
    l = F.mse_loss(out[tr], lab[tr])
    opt.zero_grad()
    l.backward()
    opt.step()
    hist["tr"].append(float(l.detach()))
    hist["va"].append(F.mse_loss(out.detach()[~tr], lab[~tr]))
    if it % 20 == 0:
        print(f"{it:4d} train {hist['tr'][-1]:.4f} val {hist['va'][-1]:.4f} fwd {net.nf[-1]} bwd {net.nb[-1]}")

print("mean solver steps: fwd %.1f bwd %.1f" % (sum(net.nf) / len(net.nf), sum(net.nb) / len(net.nb)))
print("best val %.4f" % min(v.item() for v in hist["va"]))
