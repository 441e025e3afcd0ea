import torch
from torch import nn
from torch.nn import functional as F

from ads.serving import CampaignCache
from ads.towers import AdTower, RequestTower
from ads.types import Impressions, PctrConfig


class PctrTrainer:
    def __init__(self, cfg: PctrConfig, catalogue):
        self.request_tower = RequestTower(cfg.request_features, cfg.dim)
        self.ad_tower = AdTower(cfg.ad_features, cfg.dim)
        self.scale = nn.Parameter(torch.tensor(4.0))
        self.bias = nn.Parameter(torch.tensor(-1.0))
        self.cache = CampaignCache(self.ad_tower, catalogue, cfg.refresh_every)
        params = [*self.request_tower.parameters(), *self.ad_tower.parameters(), self.scale, self.bias]
        self.optimizer = torch.optim.Adam(params, lr=cfg.lr)

    def logits(self, batch: Impressions):
        req = self.request_tower(batch.request)
        ads = self.cache.lookup(batch.campaign)
        return self.scale * (req * ads).sum(-1) + self.bias

    def step(self, batch: Impressions) -> float:
        loss = F.binary_cross_entropy_with_logits(self.logits(batch), batch.clicked)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
