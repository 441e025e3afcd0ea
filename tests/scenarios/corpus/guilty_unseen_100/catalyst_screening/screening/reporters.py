import time


class Reporter:
    topic = "batch"

    def install(self, bus):
        bus.subscribe(self.topic, self.handle)

    def handle(self, i, out):
        raise NotImplementedError


class SpreadReporter(Reporter):
    def handle(self, i, out):
        def render():
            return f"{i:4d} spread {out.spread.mean().item():.4f} nll {out.nll.item():.4f}"
        return render  # <- culprit


class RankReporter(Reporter):
    def __init__(self, every):
        self.every = every

    def handle(self, i, out):
        if i % self.every:
            return None
        best = out.mean.detach().argsort()[:3].tolist()
        return lambda: f"{i:4d} most stable {best}"


class ThroughputReporter(Reporter):
    def __init__(self):
        self.t0 = time.perf_counter()

    def handle(self, i, out):
        if i % 100 == 0:
            print(f"batch {i} after {time.perf_counter() - self.t0:.1f}s")
