import torch


class Callback:
    def on_step(self, owner, step, out):
        pass


class History(Callback):
    def __init__(self, every):
        self.every = every
        self.rows = []

    def on_step(self, owner, step, out):
        self.rows.append({k: v.detach().clone() for k, v in out.items()})
        if (step + 1) % self.every == 0:
            last = self.rows[-self.every:]
            text = "  ".join(f"{k} {torch.stack([r[k] for r in last]).mean().item():.4f}" for k in last[0])
            print(step + 1, text, f"thr {owner.threshold.item():.3f}")


class ThresholdEMA(Callback):
    """Self-adaptive confidence threshold (FreeMatch)."""

    def __init__(self, start, rate):
        self.value = torch.tensor(start)
        self.rate = rate

    def on_step(self, owner, step, out):
        self.value = (1 - self.rate) * self.value + self.rate * out["confidence"]
        owner.threshold = self.value
