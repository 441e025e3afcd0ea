import numpy as np


class FigureBook:
    """Gathers material for the figures of the report (written once training is over)."""

    def __init__(self, title):
        self.title = title
        self.curves = {"train": []}
        self.panels = []

    def scalar(self, name, value):
        self.curves.setdefault(name, []).append(float(value))

    def pair(self, step, original, recon):
        a = original.detach().cpu().numpy()
        b = recon.detach().cpu().numpy()
        self.panels.append({"step": step, "orig": a.copy(), "recon": b.copy(), "diff": np.abs(a - b)})  # <- culprit

    def summary(self):
        last = self.panels[-1]
        first = self.panels[0]
        return (f"{self.title}: |diff| {first['diff'].mean():.3f} -> {last['diff'].mean():.3f}, "
                f"final loss {self.curves['train'][-1]:.4f}")
