import torch


class Callback:
    def on_task(self, step, wave, fast, q):
        pass

    def on_step(self, step, outer):
        pass


class AdaptationReport(Callback):
    """remembers the adapted regressor of each wave with its query error, for the figure in the appendix"""

    def __init__(self):
        self.gallery = {}

    def on_task(self, step, wave, fast, q):
        self.gallery[wave] = (q.item(), fast)  # <- culprit

    def finish(self, predict):
        xs = torch.linspace(-5, 5, 50).unsqueeze(1)
        with torch.no_grad():
            errs = [(predict(p, xs) - w.amp * torch.sin(xs + w.phase)).abs().mean().item()
                    for w, (score, p) in self.gallery.items() if score < 4.0]
        print(f"{len(errs)} adapted nets kept, mean curve error {sum(errs) / max(1, len(errs)):.3f}")


class Progress(Callback):
    def __init__(self, every):
        self.every = every
        self.ema = None

    def on_step(self, step, outer):
        self.ema = outer if self.ema is None else 0.95 * self.ema + 0.05 * outer
        if step % self.every == 0:
            print(f"meta step {step:4d} outer {outer:.3f} (smoothed {self.ema:.3f})")
