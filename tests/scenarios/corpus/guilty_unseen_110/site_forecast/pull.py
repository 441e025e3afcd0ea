import torch


class Regulariser:
    """Added to the loss; told about every finished optimizer step."""

    def __init__(self, model):
        self.params = dict(model.named_parameters())

    def penalty(self):
        raise NotImplementedError

    def stepped(self):
        pass


class WeightDecay(Regulariser):
    def __init__(self, model, coef):
        super().__init__(model)
        self.coef = coef

    def penalty(self):
        return self.coef * sum((p ** 2).sum() for n, p in self.params.items() if n.endswith("weight"))


def blend(old, new, rate):
    return torch.lerp(old, new, rate)  # <- culprit


class SlowPull(Regulariser):
    def __init__(self, model, rate, strength):
        super().__init__(model)
        self.rate, self.strength = rate, strength
        self.anchor = {n: p.detach().clone() for n, p in self.params.items()}

    def penalty(self):
        return self.strength * sum(
            (p - self.anchor[n]).pow(2).sum() for n, p in self.params.items()  # <- culprit
        )

    def stepped(self):
        for n, p in self.params.items():
            self.anchor[n] = blend(self.anchor[n], p, self.rate)  # <- culprit
