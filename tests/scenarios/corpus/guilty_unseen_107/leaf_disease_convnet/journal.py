from functools import partial


def loss_line(step, loss):
    return f"{step:4d}  loss {loss:.3f}"


def accuracy_line(step, logits, label):
    return f"{step:4d}  acc  {(logits.argmax(1) == label).float().mean():.2f}"


def rate_line(step, lr):
    return f"{step:4d}  lr   {lr:.2e}"


class Journal:
    """Formatting is slow on the cluster's console, so lines are made when the run is over."""

    def __init__(self):
        self.pending = {}

    def later(self, kind, make, *args):
        self.pending.setdefault(kind, []).append(partial(make, *args))  # <- culprit

    def flush(self, keep_every):
        for kind, makers in self.pending.items():
            print(f"[{kind}]")
            for make in makers[::keep_every]:
                print("  " + make())
