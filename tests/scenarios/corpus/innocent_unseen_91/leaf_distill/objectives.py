import torch
import torch.nn.functional as F


class CrossEntropyObjective:
    def __call__(self, model, x, y):
        out = model(x)
        return F.cross_entropy(out, y), out


class DistillObjective:
    def __init__(self, teacher, ema, temperature, alpha=0.6, beta=0.2):
        self.teacher = teacher.eval()
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.ema, self.T, self.alpha, self.beta = ema, temperature, alpha, beta

    def __call__(self, model, x, y):
        out = model(x)
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / self.T, dim=1)
        kd = F.kl_div(F.log_softmax(out / self.T, dim=1), soft, reduction="batchmean") * self.T ** 2
        consistency = F.mse_loss(out.softmax(1), self.ema.shadow(x).softmax(1).detach())
        loss = (1 - self.alpha) * F.cross_entropy(out, y) + self.alpha * kd + self.beta * consistency
        return loss, out
