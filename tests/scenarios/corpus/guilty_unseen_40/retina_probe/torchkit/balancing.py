from .registry import register


class Balancer:
    def weight(self, name, loss):
        raise NotImplementedError

    def __call__(self, parts):
        return sum(self.weight(name, loss) * loss for name, loss in parts.items())


@register("balancer", "uniform")
class Uniform(Balancer):
    def weight(self, name, loss):
        return 1.0


@register("balancer", "relative")
class Relative(Balancer):
    """Divide every task loss by its own moving average."""

    def __init__(self, beta=0.9, eps=1e-3):
        self.beta, self.eps = beta, eps
        self.ema = {}

    def _track(self, name, loss):
        old = self.ema.get(name, loss)  # <- culprit
        self.ema[name] = self.beta * old + (1 - self.beta) * loss  # <- culprit
        return self.ema[name]  # <- culprit

    def weight(self, name, loss):
        return 1.0 / (self._track(name, loss) + self.eps)  # <- culprit
