# gradwatch-corpus: kind=none
"""Deep equilibrium classifier: Anderson solver, implicit gradient through a backward hook,
per-sample warm starts and Jacobian regularisation (Bai et al. 2019/2021)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N, DIM, HID, CLASSES = 512, 12, 24, 4


def anderson(f, z0, m=4, iters=12, lam=1e-4, tol=1e-3):
    b, d = z0.shape
    Z, G = z0.new_zeros(b, m, d), z0.new_zeros(b, m, d)
    Z[:, 0], G[:, 0] = z0, f(z0)
    Z[:, 1], G[:, 1] = G[:, 0], f(G[:, 0])
    H = z0.new_zeros(b, m + 1, m + 1)
    H[:, 0, 1:] = H[:, 1:, 0] = 1
    y = z0.new_zeros(b, m + 1, 1)
    y[:, 0] = 1
    for k in range(2, iters):
        n = min(k, m)
        R = G[:, :n] - Z[:, :n]
        H[:, 1:n + 1, 1:n + 1] = R @ R.transpose(1, 2) + lam * torch.eye(n)
        a = torch.linalg.solve(H[:, :n + 1, :n + 1], y[:, :n + 1])[:, 1:n + 1, 0]
        Z[:, k % m] = (a.unsqueeze(1) @ G[:, :n])[:, 0]
        G[:, k % m] = f(Z[:, k % m])
        res = (G[:, k % m] - Z[:, k % m]).norm() / (1e-6 + G[:, k % m].norm())
        if res < tol:
            break
    return G[:, k % m], k, res.item()


class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.W, self.U, self.norm = nn.Linear(HID, HID, bias=False), nn.Linear(DIM, HID), nn.LayerNorm(HID)
        nn.init.normal_(self.W.weight, std=0.3 / HID ** 0.5)

    def forward(self, z, x):
        return torch.tanh(self.norm(self.W(z) + self.U(x)))


class WarmStart:
    """Last equilibrium of every training sample."""

    def __init__(self, n):
        self.table = torch.zeros(n, HID)
        self.hits = torch.zeros(n, dtype=torch.bool)

    def get(self, idx):
        return self.table[idx]

    def put(self, idx, z):
        self.table[idx] = z.detach()
        self.hits[idx] = True


class DEQ(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = Cell(), nn.Linear(HID, CLASSES)
        self.hook = None
        self.stats = {}

    def forward(self, x, z0, jac=False):
        with torch.no_grad():
            z, n, res = anderson(lambda z: self.cell(z, x), z0)
        self.stats = {"nfe": n, "res": res}
        z = z.detach().requires_grad_()
        new = self.cell(z, x)
        reg = self.jac_reg(new, z) if jac else torch.zeros(())
        if self.training:
            zb = z.detach().requires_grad_()
            fb = self.cell(zb, x)

            def implicit(grad):
                if self.hook is not None:
                    self.hook.remove()
                    self.hook = None
                g, n_b, _ = anderson(lambda y: torch.autograd.grad(fb, zb, y, retain_graph=True)[0] + grad,
                                     torch.zeros_like(grad))
                self.stats["nfe_b"] = n_b
                return g

            new_out = new.clone()
            self.hook = new_out.register_hook(implicit)
            return self.head(new_out), new_out, reg
        return self.head(new), new, reg

    @staticmethod
    def jac_reg(out, z):
        v = torch.randn_like(out)
        vj, = torch.autograd.grad(out, z, v, create_graph=True)
        return vj.pow(2).sum() / out.numel()


def main(epochs=21, batch=32):
    torch.set_num_threads(1)
    torch.manual_seed(13)
    x = torch.randn(N, DIM)
    y = (torch.tanh(x @ torch.randn(DIM, 16)) @ torch.randn(16, CLASSES)).argmax(1)
    model, warm = DEQ(), WarmStart(N)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=3)
    for ep in range(epochs):
        tot, nf, nb = 0.0, 0, 0
        for step, idx in enumerate(torch.randperm(N).split(batch)):
            logits, z, reg = model(x[idx], warm.get(idx), jac=step % 4 == 0)
            loss = F.cross_entropy(logits, y[idx]) + 0.1 * reg
            opt.zero_grad()
            loss.backward()
            opt.step()
            warm.put(idx, z)
            tot += loss.item() * len(idx) / N
            nf, nb = nf + model.stats["nfe"], nb + model.stats["nfe_b"]
        sched.step(tot)
        if ep % 5 == 0:
            print(f"epoch {ep} loss {tot:.4f} nfe {nf / (step + 1):.1f}/{nb / (step + 1):.1f} warm {warm.hits.float().mean():.2f}")


if __name__ == "__main__":
    main()
