from averaging import ParameterAverage

REGISTRY = {}


def register(name):
    def deco(cls):
        REGISTRY[name] = cls
        return cls
    return deco


def build_regularizer(name, model, **kw):
    return REGISTRY[name](model, **kw)


class Regularizer:
    def __init__(self, model, weight):
        self.weight = weight
        self.named = [(n, p) for n, p in model.named_parameters() if p.dim() > 1]

    def penalty(self):
        raise NotImplementedError

    def after_penalty(self):
        pass

    def __call__(self):
        value = self.weight * self.penalty()
        self.after_penalty()
        return value


@register("l2")
class L2(Regularizer):
    def penalty(self):
        return sum(p.pow(2).sum() for _, p in self.named)


@register("average_anchor")
class AverageAnchor(Regularizer):
    def __init__(self, model, weight, decay):
        super().__init__(model, weight)
        self.average = ParameterAverage(self.named, decay)

    def penalty(self):
        return self.average.distance(self.named)

    def after_penalty(self):
        self.average.fold_in(self.named)  # <- culprit
