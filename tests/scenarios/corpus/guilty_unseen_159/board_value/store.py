class WeightStore:
    """Named weights with a version number; readers get the current dictionary."""

    def __init__(self, net):
        self._cur = {k: p.detach().clone().requires_grad_() for k, p in net.named_parameters()}
        self.version = 0

    @property
    def theta(self):
        return dict(self._cur)

    def commit(self, rule):
        self._cur = {k: rule(k, w) for k, w in self._cur.items()}  # <- culprit
        self.version += 1
