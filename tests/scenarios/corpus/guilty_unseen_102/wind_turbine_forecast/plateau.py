class PlateauTracker:
    """Drops the learning rate when the epoch loss has stopped improving."""

    def __init__(self, optimizer, patience, factor=0.5, min_lr=1e-5):
        self.optimizer = optimizer
        self.patience = patience
        self.factor = factor
        self.min_lr = min_lr
        self.batch_losses = []
        self.best = float("inf")
        self.stale = 0
        self.n_drops = 0

    def observe(self, loss):
        self.batch_losses.append(loss)  # <- culprit

    def epoch_loss(self, n_batches):
        tail = self.batch_losses[-n_batches:]
        return sum(float(l.detach()) for l in tail) / len(tail)

    def close_epoch(self, n_batches):
        current = self.epoch_loss(n_batches)
        if current < self.best * (1 - 1e-4):
            self.best = current
            self.stale = 0
            return current
        self.stale += 1
        if self.stale >= self.patience:
            self._drop()
        return current

    def _drop(self):
        for group in self.optimizer.param_groups:
            group["lr"] = max(self.min_lr, group["lr"] * self.factor)
        self.n_drops += 1
        self.stale = 0
        self.batch_losses.clear()  # <- culprit
