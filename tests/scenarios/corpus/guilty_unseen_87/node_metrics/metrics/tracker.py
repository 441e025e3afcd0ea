class MetricTracker:
    def __init__(self, metrics):
        self._metrics = dict(metrics)

    def update(self, **values):
        for name, value in values.items():
            self._metrics[name].update(value)

    def compute(self):
        return {name: m.compute() for name, m in self._metrics.items()}
