import torch


class GraspRig:
    """Gripper whose tactile calibration drifts from trial to trial."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.calibration = torch.randn(cfg.tactile_dim, cfg.wrench_dim) * 0.3

    def collect(self, count):
        tactile = torch.randn(count, self.cfg.tactile_dim)
        wrench = torch.tanh(tactile @ self.calibration)
        wrench = wrench + 0.02 * torch.randn_like(wrench)
        return tactile, wrench

    def wear(self):
        self.calibration += self.cfg.wear_rate * torch.randn_like(self.calibration)
