class BestField:
    def __init__(self, patience):
        self.patience = patience
        self.score, self.step, self.field = float("inf"), -1, None
        self.stale = 0

    def offer(self, step, score, field):
        """Returns True when it is time to stop."""
        if score < self.score:
            self.score, self.step, self.field = score, step, field.detach().clone()
            self.stale = 0
        else:
            self.stale += 1
        return self.stale >= self.patience
