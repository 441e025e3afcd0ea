import torch
from torch import nn
import torch.nn.functional as F


class EtaNet(nn.Module):
    def __init__(self, zones):
        super().__init__()
        self.zone = nn.Embedding(zones, 8)
        self.body = nn.Sequential(nn.Linear(13, 48), nn.SiLU(), nn.Linear(48, 1))

    def forward(self, rides):
        joined = torch.cat([self.zone(rides.zone), rides.features], dim=1)
        return F.softplus(self.body(joined)).squeeze(1)


class EtaEngine:
    def __init__(self, bus, zones, lr):
        self.bus = bus
        self.net = EtaNet(zones)
        self.optimizer = torch.optim.RMSprop(self.net.parameters(), lr=lr)

    def train_on(self, rides):
        predicted = self.net(rides)
        miss = predicted - rides.minutes
        loss = F.huber_loss(predicted, rides.minutes)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.bus.publish("batch_done", zones=rides.zone, miss=miss)  # <- culprit
        return loss.item()
