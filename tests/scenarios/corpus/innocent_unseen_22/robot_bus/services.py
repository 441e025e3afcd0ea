import traceback
from collections import Counter, deque
from contextlib import contextmanager


class Telemetry:
    def __init__(self, bus):
        self.sums, self.n = Counter(), 0
        bus.subscribe("losses", self.on_losses)
        bus.subscribe("report", self.on_report)

    def on_losses(self, step, **losses):
        for name, value in losses.items():
            self.sums[name] += value.item()
        self.n += 1

    def on_report(self, step):
        print(f"{step:4d}  " + "  ".join(f"{k} {v / self.n:.4f}" for k, v in self.sums.items()))
        self.sums.clear()
        self.n = 0


class FaultRecorder:
    """Keeps the text of the latest faults, where they were raised included."""

    def __init__(self, bus, keep):
        self.faults = deque(maxlen=keep)
        self.count = 0
        bus.subscribe("fault", self.on_fault)
        bus.subscribe("report", self.on_report)

    def on_fault(self, step, error):
        self.count += 1
        self.faults.append((step, "".join(traceback.format_exception(error))))

    def on_report(self, step):
        if self.faults:
            last, text = self.faults[-1]
            print(f"      {self.count} slip faults, last at {last}: {text.strip().splitlines()[-1]}")


class FeatureTap:
    """Collects a module's outputs for as long as it is open."""

    def __init__(self, bus):
        self.outputs = []
        self.level = 0.0
        bus.subscribe("report", self.on_report)

    @contextmanager
    def tapped(self, module):
        handle = module.register_forward_hook(lambda mod, args, out: self.outputs.append(out))
        try:
            yield self
        finally:
            handle.remove()
            self.outputs.clear()

    def penalty(self):
        value = sum(out.square().mean() for out in self.outputs)
        self.level = 0.9 * self.level + 0.1 * value.item()
        return value

    def on_report(self, step):
        print(f"      feature level {self.level:.4f}")
