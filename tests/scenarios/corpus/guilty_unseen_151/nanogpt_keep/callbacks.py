import copy
import time


class Callback:
    def on_iter_end(self, it, loss):
        raise NotImplementedError


class SnapshotKeeper(Callback):
    """Remembers the weights so that the best iteration can be restored at the end."""

    def __init__(self, model):
        self.model = model
        self.snapshots = {}

    def on_iter_end(self, it, loss):
        self.snapshots[it] = (loss, copy.deepcopy(self.model.state_dict()))  # <- culprit

    def restore_best(self):
        best = min(self.snapshots, key=lambda k: self.snapshots[k][0])
        self.model.load_state_dict(self.snapshots[best][1])
        print("restored iteration", best)


class Throughput(Callback):
    def __init__(self, tokens_per_iter, every=50):
        self.tokens, self.every, self.t0 = tokens_per_iter, every, time.time()

    def on_iter_end(self, it, loss):
        if (it + 1) % self.every == 0:
            dt = time.time() - self.t0
            print(f"iter {it}: loss {loss:.4f}, {self.tokens * self.every / dt:.0f} tok/s")
            self.t0 = time.time()
