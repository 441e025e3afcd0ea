import torch


class Trainer:
    """Two-pass sharpness-aware steps; callbacks get plain values."""

    def __init__(self, model, lr, rho, callbacks):
        self.model, self.rho, self.callbacks = model, rho, callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def closure(self, x):
        out = self.model(x)
        total = out["loss"] + sum(cb.adjust_loss(self, out) for cb in self.callbacks)
        self.opt.zero_grad()
        total.backward()
        return {k: v.detach() for k, v in out.items()}

    @torch.no_grad()
    def climb(self):
        ps = [p for p in self.model.parameters() if p.grad is not None]
        norm = torch.stack([p.grad.norm() for p in ps]).norm() + 1e-12
        eps = [self.rho * p.grad / norm for p in ps]
        torch._foreach_add_(ps, eps)
        return ps, eps

    def step(self, x):
        out = self.closure(x)
        ps, eps = self.climb()
        self.closure(x)
        with torch.no_grad():
            torch._foreach_sub_(ps, eps)
        self.opt.step()
        return out

    def fit(self, make_loader, epochs):
        for epoch in range(epochs):
            for x in make_loader():
                out = self.step(x)
                for cb in self.callbacks:
                    cb.on_step_end(self, out)
            for cb in self.callbacks:
                cb.on_epoch_end(self, epoch)
