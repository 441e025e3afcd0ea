import torch.nn.functional as F

from balance import RunningScaleBalancer


class Trainer:
    def __init__(self, model, opt, stream):
        self.model, self.opt, self.stream = model, opt, stream
        self.balancer = RunningScaleBalancer()
        self.rows = []

    def losses(self, x, target):
        out = self.model(x)
        return {
            "demand": F.mse_loss(out["demand"], target["demand"]),
            "air": F.cross_entropy(out["air"], target["air"]),
            "noise": F.l1_loss(out["noise"], target["noise"]),
        }

    def fit(self, steps):
        for step, (x, target) in zip(range(steps), self.stream):
            parts = self.losses(x, target)
            total = self.balancer.combine(parts)
            self.opt.zero_grad()
            total.backward(retain_graph=True)
            self.opt.step()
            self.rows.append({k: v.item() for k, v in parts.items()})
            if step % 30 == 0:
                print(step, {k: round(v, 3) for k, v in self.rows[-1].items()})
