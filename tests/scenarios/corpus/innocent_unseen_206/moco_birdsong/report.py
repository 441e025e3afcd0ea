class Callbacks:
    def __init__(self, members):
        self.members = members

    def fire(self, event, **info):
        for m in self.members:
            getattr(m, event)(**info)


class Recorder:
    def __init__(self):
        self.losses, self.best = [], 0.0
        self.last = None

    def on_step(self, step, loss, logits):
        self.losses.append(loss.item())
        self.last = logits
        acc = (logits.argmax(1) == 0).float().mean().item()
        self.best = max(self.best, acc)


class Printer:
    def __init__(self, every):
        self.every, self.total = every, 0.0

    def on_step(self, step, loss, logits):
        self.total += loss.detach()
        if (step + 1) % self.every == 0:
            print(step + 1, f"{self.total.item() / self.every:.4f}")
            self.total = 0.0
