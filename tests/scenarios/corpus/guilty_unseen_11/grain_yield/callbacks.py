"""The three callbacks that every experiment of this repository uses."""


class Callback:
    def on_train_begin(self):
        pass

    def on_step_end(self, step, logs):
        pass

    def on_train_end(self):
        pass


class CallbackList:
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)

    def fire(self, event, *args):
        for callback in self.callbacks:
            getattr(callback, event)(*args)


class HistoryWriter(Callback):
    """One row per step; at the end the rows can be averaged or dumped."""

    def __init__(self):
        self.rows = []

    def on_train_begin(self):
        self.rows.clear()

    def on_step_end(self, step, logs):
        row = {"step": step}
        row.update(logs)
        self.rows.append(row)  # <- culprit

    def mean(self, key, start, stop):
        picked = [float(row[key]) for row in self.rows[start:stop]]
        return sum(picked) / len(picked)

    def on_train_end(self):
        print(f"history: {len(self.rows)} rows, keys {sorted(self.rows[0])}")


class LrDecay(Callback):
    def __init__(self, optimizer, every, factor):
        self.optimizer, self.every, self.factor = optimizer, every, factor

    def on_step_end(self, step, logs):
        if (step + 1) % self.every == 0:
            for group in self.optimizer.param_groups:
                group["lr"] *= self.factor
