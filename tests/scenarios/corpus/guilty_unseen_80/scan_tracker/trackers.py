import torch
import torch.nn.functional as F


class BaseTracker:
    """Holds the parameters as a plain dict of leaves; subclasses add terms through super()."""

    def __init__(self, targets, period):
        self.period = period
        self.theta = {}
        self.state = (torch.zeros(targets, 2), torch.zeros(targets, 2))
        self.declare()

    def declare(self):
        self.param("noise", torch.zeros(2))

    def param(self, name, value):
        self.theta[name] = value.clone().requires_grad_()

    def predict(self, pos, vel):
        return pos + self.period * vel, vel

    def gains(self, residual):
        return 0.5, 0.1

    def score(self, residual):
        log_s = self.theta["noise"]
        return (residual.square() * torch.exp(-log_s) + log_s).mean()

    def filter_block(self, plots):
        pos, vel = self.state
        terms = []
        for z in plots:
            pos, vel = self.predict(pos, vel)
            residual = z - pos
            terms.append(self.score(residual))
            a, b = self.gains(residual)
            pos = pos + a * residual
            vel = vel + b / self.period * residual
        self.state = (pos, vel)  # <- culprit
        return torch.stack(terms).mean()

    def penalty(self):
        return self.theta["noise"].square().sum() * 1e-3

    def fit_block(self, plots, lr):
        nll = self.filter_block(plots)
        objective = nll + self.penalty()
        names = list(self.theta)
        grads = torch.autograd.grad(objective, [self.theta[n] for n in names])
        for name, g in zip(names, grads):
            stepped = self.theta[name].detach() - lr * g.clamp(-1, 1)
            self.param(name, stepped)
        return {"nll": nll.item()}


class LearnedGainMixin:
    def declare(self):
        super().declare()
        self.param("alpha", torch.tensor(0.0))
        self.param("beta", torch.tensor(-2.0))

    def gains(self, residual):
        return torch.sigmoid(self.theta["alpha"]), torch.sigmoid(self.theta["beta"])

    def fit_block(self, plots, lr):
        report = super().fit_block(plots, lr)
        report["gains"] = [round(torch.sigmoid(self.theta[k]).item(), 3) for k in ("alpha", "beta")]
        return report


class GateMixin:
    """Softly ignores plots that fall far from the prediction."""

    def declare(self):
        super().declare()
        self.param("gate", torch.tensor(1.0))

    def gains(self, residual):
        a, b = super().gains(residual)
        dist = residual.norm(dim=-1, keepdim=True)
        keep = torch.sigmoid(4.0 * (F.softplus(self.theta["gate"]) - dist))
        return a * keep, b * keep

    def penalty(self):
        return super().penalty() + 1e-3 * self.theta["gate"].square()


class ClutterAwareTracker(GateMixin, LearnedGainMixin, BaseTracker):
    pass
