# gradwatch-corpus: kind=none
import torch
import torch.autograd as autograd
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(0)


def anderson(f, x0, m=5, lam=1e-4, max_iter=20, tol=1e-3, beta=1.0):
    """Anderson acceleration for fixed point iteration."""
    bsz, d = x0.shape
    X, Fx = torch.zeros(bsz, m, d), torch.zeros(bsz, m, d)
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
        res.append(((Fx[:, k % m] - X[:, k % m]).norm() / (1e-5 + Fx[:, k % m].norm())).item())
        if res[-1] < tol:
            break
    return X[:, k % m], res


class Cell(nn.Module):
    def __init__(self, n, hidden):
        super().__init__()
        self.lin1, self.lin2 = nn.Linear(n, hidden), nn.Linear(hidden, n)
        self.norm1, self.norm2 = nn.LayerNorm(hidden), nn.LayerNorm(n)
        self.lin1.weight.data.mul_(0.3)
        self.lin2.weight.data.mul_(0.3)

    def forward(self, z, x):
        y = self.norm1(F.relu(self.lin1(z)))
        return self.norm2(F.relu(z + x + 0.5 * self.lin2(y)))


class DEQFixedPoint(nn.Module):
    def __init__(self, f, solver, **kwargs):
        super().__init__()
        self.f, self.solver, self.kwargs = f, solver, kwargs

    def forward(self, x):
        with torch.no_grad():
            z, self.forward_res = self.solver(lambda z: self.f(z, x), torch.zeros_like(x), **self.kwargs)
        z = self.f(z, x)
        if not z.requires_grad:
            return z
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def backward_hook(grad):
            g, self.backward_res = self.solver(
                lambda y: autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad, **self.kwargs)
            return g

        z.register_hook(backward_hook)
        return z


y_all = torch.randint(0, 5, (512,))
x_all = torch.randn(5, 16)[y_all] + 0.8 * torch.randn(512, 16)
model = nn.Sequential(nn.Linear(16, 20), DEQFixedPoint(Cell(20, 32), anderson, tol=1e-2, max_iter=12), nn.Linear(20, 5))
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100, eta_min=1e-5)
for epoch in range(5):
    total_loss, correct = 0.0, 0
    for idx in torch.randperm(448).split(21):
        yp = model(x_all[idx])
        loss = F.cross_entropy(yp, y_all[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        scheduler.step()
        total_loss += loss.item() * len(idx)
        correct += (yp.argmax(1) == y_all[idx]).sum().item()
    with torch.no_grad():
        acc = (model(x_all[448:]).argmax(1) == y_all[448:]).float().mean().item()
    print(f"epoch {epoch} loss {total_loss / 448:.3f} acc {correct / 448:.2f} test {acc:.2f} "
          f"fwd {len(model[1].forward_res)} bwd {len(model[1].backward_res)}")
