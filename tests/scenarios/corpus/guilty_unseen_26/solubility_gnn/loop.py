import statistics

from .reporter import Reporter


class Extension:
    def initialize(self, loop):
        pass

    def __call__(self, loop):
        raise NotImplementedError


class LogReport(Extension):
    """Collects each observation; a summary per `every` iterations."""

    def __init__(self, every):
        self.every = every
        self._log = []
        self.summaries = []

    def __call__(self, loop):
        self._log.append(dict(loop.observation, iteration=loop.iteration))  # <- culprit
        if loop.iteration % self.every == 0:
            recent = self._log[-self.every:]
            self.summaries.append({k: statistics.fmean(float(o[k]) for o in recent) for k in recent[0]})


class PrintReport(Extension):
    def __init__(self, source):
        self.source, self.shown = source, 0

    def __call__(self, loop):
        summaries = loop.extensions[self.source].summaries
        for s in summaries[self.shown:]:
            print("  ".join(f"{k} {v:.4f}" for k, v in s.items()))
        self.shown = len(summaries)


class Loop:
    def __init__(self, model, optimizer, max_iterations):
        self.model, self.optimizer = model, optimizer
        self.max_iterations, self.iteration = max_iterations, 0
        self.extensions, self.reporter, self.observation = {}, Reporter(), {}

    def extend(self, name, ext):
        self.extensions[name] = ext
        ext.initialize(self)

    def run(self, data):
        for batch in data:
            if self.iteration >= self.max_iterations:
                break
            self.observation = {}
            with self.reporter.scope(self.observation):
                self.optimizer.zero_grad()
                self.model(batch).backward()
                self.optimizer.step()
            self.iteration += 1
            for ext in self.extensions.values():
                ext(self)
