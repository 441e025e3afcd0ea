from collections import namedtuple

Frame = namedtuple("Frame", "n loss offset")


class RunBook:
    """Notes of a run; the energy offset tells how far the gauge has drifted."""

    def __init__(self, every=1):
        self.every = every
        self.frames = []

    def note(self, n, loss, e, e_ref):
        if n % self.every:
            return
        offset = (e - e_ref).mean()  # <- culprit
        self.frames.append(Frame(n, loss.item(), offset))  # <- culprit

    def summary(self):
        tail = self.frames[-10:]
        loss = sum(f.loss for f in tail) / len(tail)
        drift = float(tail[-1].offset.detach() - tail[0].offset.detach())
        return f"frame {tail[-1].n:4d}  force mse {loss:.4f}  gauge drift {drift:+.4f}"
