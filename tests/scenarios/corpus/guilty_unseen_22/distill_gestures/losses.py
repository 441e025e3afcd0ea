import torch.nn.functional as F

LOSSES = {}


def register(name):
    def deco(cls):
        LOSSES[name] = cls
        return cls
    return deco


def build_loss(name, **kw):
    return LOSSES[name](**kw)


@register("distill")
class DistillationLoss:
    """Hinton et al. (2015), cross-entropy and softened KL mixed by alpha."""

    def __init__(self, teacher, temperature, alpha):
        self.teacher = teacher
        self.T = temperature
        self.alpha = alpha

    def soft_targets(self, x):
        logits = self.teacher(x)  # <- culprit
        return F.softmax(logits / self.T, dim=-1).detach()  # <- culprit

    def __call__(self, x, student_logits, y):
        hard = F.cross_entropy(student_logits, y)
        log_p = F.log_softmax(student_logits / self.T, dim=-1)
        soft = F.kl_div(log_p, self.soft_targets(x), reduction="batchmean") * self.T ** 2
        loss = (1 - self.alpha) * hard + self.alpha * soft
        return loss, {"hard": hard.item(), "soft": soft.item()}


@register("plain")
class PlainLoss:
    def __init__(self, **_):
        pass

    def __call__(self, x, student_logits, y):
        hard = F.cross_entropy(student_logits, y)
        return hard, {"hard": hard.item(), "soft": 0.0}
