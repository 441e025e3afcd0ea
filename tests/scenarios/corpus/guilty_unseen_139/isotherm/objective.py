OBJECTIVES = {}


def objective(name):
    def add(fn):
        OBJECTIVES[name] = fn
        return fn

    return add


@objective("fit")
def fit(model, logp, uptake):
    return (model(logp) - uptake).square().mean()


@objective("smooth")
def smooth(model, logp, uptake):
    return model.smoothness / model.span


@objective("mass")
def mass(model, logp, uptake):
    return (model.density.sum() - 1).square()


def compose(model, table, weights):
    def total(logp, uptake):
        return sum(w * table[name](model, logp, uptake) for name, w in weights.items())

    return total
