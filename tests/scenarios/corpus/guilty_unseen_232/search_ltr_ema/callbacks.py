class CallbackList:
    def __init__(self, items):
        self.items = items

    def after_step(self, step, tracker):
        stop = False
        for item in self.items:
            stop = bool(item(step, tracker)) or stop
        return stop


class ProgressPrinter:
    def __init__(self, every):
        self.every = every

    def __call__(self, step, tracker):
        if (step + 1) % self.every == 0:
            print(f"[{step + 1}] loss {tracker.value('listwise'):.4f} ndcg {tracker.value('ndcg@5'):.4f}")


class EarlyPlateau:
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.stale = 0

    def __call__(self, step, tracker):
        now = tracker.value("listwise")
        if now < self.best - 1e-4:
            self.best = now
            self.stale = 0
            return False
        self.stale += 1
        return self.stale >= self.patience
