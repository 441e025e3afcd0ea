import torch
import torch.nn.functional as F

OBJECTIVES = {}


class Objective:
    def __init_subclass__(cls, key=None, **kw):
        super().__init_subclass__(**kw)
        if key:
            OBJECTIVES[key] = cls


class Reconstruction(Objective, key="recon"):
    def __call__(self, x, z, xhat, regime, step):
        return F.mse_loss(xhat, x)


class ReconCompact(Reconstruction, key="recon_compact"):
    """Reconstruction plus a pull of each code to the moving center of its regime."""

    def __init__(self, momentum, weight, warmup, regimes, latent):
        self.m, self.weight, self.warmup = momentum, weight, warmup
        self.regimes = regimes
        self.centers = torch.zeros(regimes, latent)

    def update_centers(self, z, regime):
        onehot = F.one_hot(regime, self.regimes).float()
        mean = onehot.t() @ z / onehot.sum(0).clamp(min=1).unsqueeze(1)
        self.centers = self.m * self.centers + (1 - self.m) * mean  # <- culprit

    def __call__(self, x, z, xhat, regime, step):
        loss = super().__call__(x, z, xhat, regime, step)
        if step >= self.warmup:
            self.update_centers(z, regime)  # <- culprit
            loss = loss + self.weight * (z - self.centers[regime]).pow(2).sum(1).mean()
        return loss


def build_objective(cfg, **extra):
    kw = {k: v for k, v in cfg.items() if k != "name"}
    return OBJECTIVES[cfg["name"]](**kw, **extra)
