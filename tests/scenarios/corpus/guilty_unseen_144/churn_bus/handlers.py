from collections import defaultdict


class MetricsRecorder:
    """Collects a time series per metric and reports it on demand."""

    def __init__(self, bus, metrics=("loss", "auc_proxy")):
        self.metrics = metrics
        self.series = defaultdict(list)
        bus.on("step.completed", self.handle)
        bus.on("epoch.completed", self.report)

    def handle(self, ev):
        for name in self.metrics:
            value = ev.payload.get(name)
            if value is not None:
                self.series[name].append(value)  # <- culprit

    def report(self, ev):
        row = ", ".join(f"{k}={sum(float(v) for v in vs[-20:]) / 20:.4f}" for k, vs in self.series.items())
        print(f"[epoch {ev.payload['epoch']}] {row}")


class LrCooler:
    def __init__(self, bus, optimizer, factor=0.8):
        self.optimizer, self.factor = optimizer, factor
        bus.on("epoch.completed", self.cool)

    def cool(self, ev):
        for g in self.optimizer.param_groups:
            g["lr"] *= self.factor
