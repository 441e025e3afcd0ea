import torch.nn.functional as F


class DistillObjective:
    def __init__(self, teacher, temperature, alpha):
        self.teacher = teacher
        self.t = temperature
        self.alpha = alpha

    def soft_targets(self, x):
        scores = self.teacher(x)  # <- culprit
        return F.softmax(scores / self.t, dim=1).detach()

    def __call__(self, x, out, y):
        target = self.soft_targets(x)  # <- culprit
        soft = F.kl_div(F.log_softmax(out / self.t, dim=1), target, reduction="batchmean")
        soft = soft * self.t ** 2
        hard = F.cross_entropy(out, y)
        total = self.alpha * soft + (1 - self.alpha) * hard
        return total, {"soft": soft.item(), "hard": hard.item()}
