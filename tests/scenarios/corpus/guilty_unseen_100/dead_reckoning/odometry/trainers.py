import torch

from .base import OnlineTrainer
from .layers import FrozenBackbone, PoseIntegrator, SlipHead


class OdometryTrainer(OnlineTrainer):
    def __init__(self, settings):
        super().__init__(settings)
        self.backbone = FrozenBackbone(settings.n_sensors, settings.width)
        self.head = SlipHead(settings.width)
        self.integrator = PoseIntegrator(settings.n_robots)
        self.optimizer = torch.optim.Adam(self.head.parameters(), lr=settings.lr)
        self.drift = []

    def predict(self, obs):
        return self.integrator(self.head(self.backbone(obs)))

    def criterion(self, pred, xy):
        return torch.nn.functional.huber_loss(pred, xy, delta=0.5)

    def advance(self, pred):
        self.integrator.commit(pred)  # <- culprit

    def observe(self, loss):
        self.drift.append(loss.item())
        if self.tick % self.s.report_every == 0:
            print(f"tick {self.tick:4d} drift {self.drift[-1]:.4f}")
