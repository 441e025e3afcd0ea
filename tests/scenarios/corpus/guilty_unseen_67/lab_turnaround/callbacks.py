from collections import defaultdict


class Callback:
    def on_step_end(self, engine, step, logs):
        pass

    def on_fit_end(self, engine):
        pass


class HistoryBook(Callback):
    """Every logged quantity, step by step, for the plots."""

    def __init__(self, every=50):
        self.history = defaultdict(list)
        self.every = every

    def on_step_end(self, engine, step, logs):
        for key, value in logs.items():
            self.history[key].append(value)  # <- culprit
        if step % self.every == 0:
            print(f"{step:4d} " + " ".join(f"{k}={v:.4f}" for k, v in logs.items()))

    def on_fit_end(self, engine):
        low = min(self.history["loss"])
        print(f"lowest loss {low:.4f}")


class EarlyStop(Callback):
    def __init__(self, key, goal, patience):
        self.key, self.goal, self.patience = key, goal, patience
        self.good = 0

    def on_step_end(self, engine, step, logs):
        self.good = self.good + 1 if logs[self.key] >= self.goal else 0
        engine.stop = self.good >= self.patience
