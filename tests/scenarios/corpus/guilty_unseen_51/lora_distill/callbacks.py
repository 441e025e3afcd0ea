from collections import defaultdict


class Callback:
    def on_step_end(self, step, parts):
        pass

    def on_fit_end(self):
        pass


class LossCurve(Callback):
    """Keeps a thinned curve of every loss term, for the plot at the end."""

    def __init__(self, every):
        self.every = every
        self.steps = []
        self.points = defaultdict(list)

    def on_step_end(self, step, parts):
        if step % self.every:
            return
        self.steps.append(step)
        for name, value in parts.items():
            self.points[name].append(value)  # <- culprit

    def on_fit_end(self):
        for name, values in self.points.items():
            print(f"{name}: first {values[0].item():.3f} last {values[-1].item():.3f}")


class StepPrinter(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, step, parts):
        if step % self.every == 0:
            print(f"[{step:4d}] " + " ".join(f"{k}={v.item():.4f}" for k, v in parts.items()))
