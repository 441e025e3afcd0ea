from events import FitEnd, StepBegin, StepEnd


class LrWarmup:
    def __init__(self, bus, peak, warmup):
        self.peak, self.warmup = peak, warmup
        bus.subscribe(StepBegin, self.on_begin)

    def on_begin(self, event):
        scale = min(1.0, (event.step + 1) / self.warmup)
        for group in event.optimizer.param_groups:
            group["lr"] = self.peak * scale


class EmaLoss:
    def __init__(self, bus, every=50, decay=0.95):
        self.value, self.every, self.decay = None, every, decay
        bus.subscribe(StepEnd, self.on_end)

    def on_end(self, event):
        x = event.loss.item()
        self.value = x if self.value is None else self.decay * self.value + (1 - self.decay) * x
        if event.step % self.every == 0:
            print(f"step {event.step:4d}  loss {x:.4f}  ema {self.value:.4f}  lr {event.lr:.2e}")


class Summary:
    """Counts what it is shown; attached after the run."""

    def __init__(self, bus):
        self.count = 0
        bus.subscribe(StepEnd, self.on_event, catch_up=True)
        bus.subscribe(FitEnd, self.on_event, catch_up=True)

    def on_event(self, event):
        self.count += 1
