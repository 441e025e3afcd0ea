from logging_tools.backend import MemoryBackend


class RunLogger:
    def __init__(self, name, backend=None):
        self.name = name
        self.backend = backend or MemoryBackend()

    def log(self, step, **scalars):
        for tag, value in scalars.items():
            self.backend.write(f"{self.name}/{tag}", value, step)  # <- culprit

    def close(self):
        for tag, series in self.backend.flush().items():
            print(tag, len(series), "points, last", round(float(series[-1][1]), 4))
