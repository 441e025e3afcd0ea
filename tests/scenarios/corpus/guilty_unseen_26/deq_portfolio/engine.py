import torch


class MomentumSGD(torch.optim.Optimizer):
    """Kept from the 2018 code base (bit-exact with the old books)."""

    def __init__(self, params, lr=0.01, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data)
                p.data.add_(buf, alpha=-group["lr"])


class Engine:
    def __init__(self, model, make_optimizer, objective):
        self.model = model
        self.objective = objective
        self.optimizer = make_optimizer(model.parameters())

    def _backward(self, loss):
        loss.backward(retain_graph=True)

    def fit_one(self, window):
        self.optimizer.zero_grad()
        loss = self.objective(self.model, window)
        self._backward(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return -loss.item()
