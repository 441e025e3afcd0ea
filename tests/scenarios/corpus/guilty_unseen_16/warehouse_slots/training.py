import torch
import torch.nn.functional as F

from optim import HeavyBall


class ForecastTrainer:
    def __init__(self, planner, lr):
        self.planner = planner
        self.optimizer = HeavyBall(planner.parameters(), lr=lr)

    def observe(self, now, nxt):
        forecast = self.planner(now)
        loss = F.smooth_l1_loss(forecast, nxt)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def slot_order(self, now, top=3):
        demand = self.planner(now, keep=False).mean(0)
        return demand.topk(top).indices.tolist()
