import torch


class LossBalancer:
    """loss with memory: weights from a moving average of gradient norms and losses"""

    def __init__(self, names, beta):
        self.w = {n: torch.tensor(1.0) for n in names}
        self.ema = {}
        self.beta = beta

    def grad_step(self, parts, param):
        norms = {n: torch.autograd.grad(l, param, retain_graph=True)[0].norm() for n, l in parts.items()}
        m = sum(norms.values()) / len(norms)
        for n in parts:
            target = (m / (norms[n] + 1e-6)).clamp(0.1, 10)
            self.w[n] = self.beta * self.w[n] + (1 - self.beta) * target

    def __call__(self, parts):
        tot = 0
        for n, l in parts.items():
            old = self.ema.get(n, l)
            # l.data!! not l
            self.ema[n] = self.beta * old.data + (1 - self.beta) * l.data
            tot = tot + self.w[n] * l / (self.ema[n].sqrt() + 0.1)
        return tot

    def __str__(self):
        return ' '.join('w_%s=%.2f' % (n, v) for n, v in self.w.items())
