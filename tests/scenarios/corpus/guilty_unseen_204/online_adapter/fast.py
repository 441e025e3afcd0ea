import torch


class FastWeights:
    def __init__(self, params, log_lr):
        self.params = params
        self.log_lr = log_lr
        self.last_step = None

    @classmethod
    def init(cls, dim, width, log_lr):
        params = {
            "w1": torch.randn(dim, width).requires_grad_(True),
            "b1": torch.randn(width).requires_grad_(True),
            "w2": (torch.randn(width, 1) / width ** 0.5).requires_grad_(True),
            "b2": torch.zeros(1).requires_grad_(True),
        }
        return cls(params, log_lr)

    def forward(self, x):
        h = torch.tanh(x @ self.params["w1"] + self.params["b1"])
        return h @ self.params["w2"] + self.params["b2"]

    def loss(self, x, y):
        return (self.forward(x) - y).pow(2).mean()

    @property
    def rates(self):
        return self.log_lr.exp().unbind()

    def adapt(self, x, y):
        values = list(self.params.values())
        grads = torch.autograd.grad(self.loss(x, y), values)
        self.last_step = grads
        self.params = self._descend(grads)  # <- culprit

    def _descend(self, grads):
        moved = {}
        for (name, p), g, lr in zip(self.params.items(), grads, self.rates):
            moved[name] = p - lr * g  # <- culprit
        return moved

    def lr_signal(self, grads):
        dots = [-(g * s).sum() for g, s in zip(grads, self.last_step)]
        return torch.stack(dots) * self.log_lr.detach().exp()
