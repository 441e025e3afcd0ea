import torch


class Curve:
    def __init__(self):
        self.events = []

    def __call__(self, event):
        self.events.append(event)

    def summary(self, last):
        recent = self.events[-last:]
        loss = torch.stack([e.values["loss"] for e in recent]).mean()
        sigma = torch.cat([e.values["sigma"] for e in recent]).mean()
        return f"loss {loss:.4f} sigma {sigma:.3f}"


class Hardest:
    def __init__(self, k):
        self.k = k
        self.kept = []

    def __call__(self, event):
        self.kept.append((event.values["per_sample"].max(), event))
        self.kept.sort(key=lambda pair: pair[0].item(), reverse=True)
        del self.kept[self.k:]

    def steps(self):
        return [event.number for _, event in self.kept]
