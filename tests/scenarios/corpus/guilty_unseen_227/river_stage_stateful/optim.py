class MomentumDescent:
    """Plain heavy-ball descent, as derived in the lecture notes."""

    def __init__(self, params, lr, beta=0.8):
        self.params = list(params)
        self.lr = lr
        self.beta = beta
        self.velocity = [p.data.new_zeros(p.shape) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self, clip=1.0):
        norm = sum(p.grad.pow(2).sum() for p in self.params).sqrt().item()
        scale = min(1.0, clip / (norm + 1e-8))
        for p, v in zip(self.params, self.velocity):
            v.mul_(self.beta).add_(p.grad, alpha=scale)
            p.data.add_(v, alpha=-self.lr)
        return norm
