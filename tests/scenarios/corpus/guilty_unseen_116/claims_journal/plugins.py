from events import BatchLoaded, RunFinished, StepDone


class Plugin:
    handlers = {}

    def attach(self, bus):
        self.bus = bus
        for kind, name in self.handlers.items():
            bus.subscribe(kind, getattr(self, name))


class LrDecay(Plugin):
    handlers = {BatchLoaded: "maybe_decay"}

    def __init__(self, every, factor):
        self.every, self.factor = every, factor
        self.scale = 1.0

    def maybe_decay(self, event):
        if event.step and event.step % self.every == 0:
            self.scale *= self.factor


class Printer(Plugin):
    handlers = {StepDone: "show"}

    def __init__(self, every):
        self.every = every

    def show(self, event):
        if event.step % self.every == 0:
            print(f"step {event.step:4d}  loss {float(event.loss):.4f}  |g| {event.grad_norm:.3f}")


class AuditPlugin(Plugin):
    handlers = {RunFinished: "report"}

    def report(self, event):
        losses = sorted((float(e.loss), e.step) for e in self.bus.steps())
        print("best", losses[0], "worst", losses[-1], "events", len(self.bus.journal))
