import heapq
import time


class Callback:
    def on_batch(self, step, **kw):
        pass

    def on_end(self):
        pass


class ItemScoreBoard(Callback):
    def __init__(self, top: int) -> None:
        self.top = top
        self.table = {}

    def on_batch(self, step, *, items, scores, loss, **kw):
        for item, score in zip(items.tolist(), scores.unbind()):
            self.table[item] = score  # <- culprit

    def on_end(self):
        best = heapq.nlargest(self.top, self.table.items(), key=lambda kv: kv[1].item())
        for item, score in best:
            print(f"item {item:6d}  {score.item():+.3f}")


class Throughput(Callback):
    def __init__(self, every: int) -> None:
        self.every, self.t0 = every, time.perf_counter()

    def on_batch(self, step, *, loss, **kw):
        if step % self.every == 0:
            print(step, f"{loss.item():.4f}", f"{time.perf_counter() - self.t0:.1f}s")
