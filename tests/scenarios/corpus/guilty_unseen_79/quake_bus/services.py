class Console:
    def __init__(self, every):
        self.every = every

    def __call__(self, event):
        if event.step % self.every == 0:
            print(f"[{event.topic}] {event.step:4d} misfit {event.misfit.item():.4f} |g| {event.gnorm.item():.3f}")


class Alarm:
    """Shouts when the misfit goes through the roof."""

    def __init__(self, limit):
        self.limit = limit
        self.hits = 0

    def __call__(self, event):
        if event.misfit.item() > self.limit:
            self.hits += 1
            print(f"[alarm] step {event.step}: misfit {event.misfit.item():.2f}")


class Stopwatch:
    def __init__(self):
        self.t0 = None

    def __call__(self, event):
        if self.t0 is None:
            self.t0 = event.at
        else:
            print(f"[clock] {event.steps} steps in {event.at - self.t0:.1f} s")
