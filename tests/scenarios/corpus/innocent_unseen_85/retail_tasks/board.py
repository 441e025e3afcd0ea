import torch


class Board:
    """The newest entry of every group, and a full log of plain numbers."""

    def __init__(self, names):
        self.names = names
        self.latest = {}
        self.best = {}
        self.log = {n: [] for n in names}

    def pick(self, it):
        # visit round robin at first, then mostly the group that does worst
        if it < 40 or it % 3 or len(self.latest) < len(self.names):
            return self.names[it % len(self.names)]
        return max(self.latest, key=lambda n: float(self.latest[n]["loss"]))

    def enter(self, name, **entry):
        self.latest[name] = entry
        if name not in self.best or entry["loss"] < self.best[name]:
            self.best[name] = entry["loss"]
        self.log[name].append(entry["loss"].detach())

    def summary(self):
        losses = torch.stack([e["loss"] for e in self.latest.values()])
        z = {n: ((e["y"] - e["mu"]) * torch.exp(-0.5 * e["logvar"])).std() for n, e in self.latest.items()}
        worst = max(z, key=lambda n: abs(z[n] - 1))
        return (f"mean {losses.mean():.3f} best {min(self.best.values()):.3f} "
                f"least calibrated {worst} ({z[worst]:.2f}) seen {[len(v) for v in self.log.values()]}")
