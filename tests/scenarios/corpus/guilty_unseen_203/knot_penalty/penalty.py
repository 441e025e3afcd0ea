class Smoothness:
    """Second differences of the spline coefficients, scaled by their size."""

    def __init__(self, net, weight, refresh):
        self.net = net
        self.weight = weight
        self.refresh = refresh
        self.value = None

    def compute(self):
        c = self.net.coef
        bend = c[:, 2:] - 2 * c[:, 1:-1] + c[:, :-2]
        return bend.pow(2).sum() / (c.pow(2).sum() + 1e-6)

    def __call__(self, step):
        if self.value is None or step % self.refresh == 0:
            self.value = self.compute()  # <- culprit
        return self.weight * self.value
