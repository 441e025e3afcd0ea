class OneForwardOneBackward:
    """Warm-up forwards, then alternating, then the cool-down; in one process."""

    def __init__(self, stages, loss_fn):
        self.stages = stages
        self.loss_fn = loss_fn
        self.losses = []
        self.peak = 0

    def _forward(self, m, x, y, n):
        for i, stage in enumerate(self.stages):
            x = stage.forward(m, x, first=i == 0)
        loss = self.loss_fn(x, y) / n
        self.stages[-1].replace(m, loss)
        self.losses.append(loss * n)
        self.peak = max(self.peak, len(self.stages[0].flight))

    def _backward(self, m):
        grad = None
        for stage in reversed(self.stages):
            grad = stage.backward(m, grad)

    def step(self, xs, ys):
        n = len(xs)
        self.losses = []
        depth = min(len(self.stages), n)
        for m in range(depth):
            self._forward(m, xs[m], ys[m], n)
        for m in range(depth, n):
            self._backward(m - depth)
            self._forward(m, xs[m], ys[m], n)
        for m in range(n - depth, n):
            self._backward(m)
        for stage in self.stages:
            stage.step()
