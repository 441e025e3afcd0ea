import torch


class ProbeDiag(torch.optim.Optimizer):
    """AdaHessian-like: preconditions by |diag H| estimated with one Rademacher probe every few steps."""

    def __init__(self, params, lr=0.05, floor=0.5, every=5):
        super().__init__(params, dict(lr=lr, floor=floor, every=every))
        self.n = 0

    def step(self, closure=None):
        for group in self.param_groups:
            ps = [p for p in group["params"] if p.grad is not None]
            if self.n % group["every"] == 0:
                probes = [torch.randint_like(p, 2) * 2 - 1 for p in ps]
                hv = torch.autograd.grad([p.grad for p in ps], ps, grad_outputs=probes, retain_graph=True)
                for p, z, h in zip(ps, probes, hv):
                    old = self.state[p].get("diag")
                    new = (z * h).abs()
                    self.state[p]["diag"] = new if old is None else 0.9 * old + 0.1 * new
            with torch.no_grad():
                for p in ps:
                    p -= group["lr"] * p.grad / (self.state[p]["diag"] + group["floor"])
        self.n += 1
