class MicroBatcher:
    """Documents differ in length, so the token-weighted mean is only known once the group is
    complete: the terms are held and differentiated together."""

    def __init__(self, opt, micro):
        self.opt, self.micro = opt, micro
        self.held = []
        self.weights = 0
        self.updates = 0
        self.log = []
        self.smoothed = None

    def push(self, loss_sum, weight):
        self.held.append(loss_sum)
        self.weights += weight
        if len(self.held) < self.micro:
            return False
        self._flush()
        return True

    def _flush(self):
        total = sum(self.held) / self.weights
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.held = []
        self.weights = 0
        self.updates += 1
        value = total.detach()
        self.log.append(value.item())
        self.smoothed = value if self.smoothed is None else 0.95 * self.smoothed + 0.05 * value
