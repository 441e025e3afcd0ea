class PlainDescent:
    """Momentum descent with a norm limit, written out for the control-room PC."""

    def __init__(self, params, rate, momentum=0.8, limit=1.0):
        self.params = list(params)
        self.rate = rate
        self.momentum = momentum
        self.limit = limit
        self.velocity = [p.data.new_zeros(p.shape) for p in self.params]

    def clear(self):
        for p in self.params:
            p.grad = None

    def apply(self):
        total = sum(float(p.grad.square().sum()) for p in self.params) ** 0.5
        scale = min(1.0, self.limit / (total + 1e-9))
        for p, v in zip(self.params, self.velocity):
            v.mul_(self.momentum)
            v.add_(p.grad, alpha=scale)
            p.data.add_(v, alpha=-self.rate)
