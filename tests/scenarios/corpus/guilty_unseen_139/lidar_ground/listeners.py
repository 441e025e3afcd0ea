import time


class Listener:
    def sweep(self, index, frame, loss):
        raise NotImplementedError


class Speedometer(Listener):
    def __init__(self, report):
        self.report, self.tic = report, time.perf_counter()

    def sweep(self, index, frame, loss):
        if index % self.report == self.report - 1:
            took = time.perf_counter() - self.tic
            print(f"{index + 1} sweeps, {took / self.report * 1e3:.2f} ms each, loss {loss:.4f}")
            self.tic = time.perf_counter()


class InputMonitor(Listener):
    """Watches whether the sensor's ranges wander off."""

    def __init__(self, report, window=20):
        self.report, self.window = report, window
        self.frames = []

    def sweep(self, index, frame, loss):
        self.frames.append(frame.clone())  # <- culprit
        if index % self.report == self.report - 1:
            print("ranges", *(round(v, 2) for v in self.span()))

    def span(self):
        recent = self.frames[-self.window:]
        return min(f.min().item() for f in recent), max(f.max().item() for f in recent)
