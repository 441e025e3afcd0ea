from ads.serving import CampaignCache
from ads.towers import AdTower, RequestTower
from ads.trainer import PctrTrainer
from ads.types import Impressions, PctrConfig

__all__ = ["CampaignCache", "AdTower", "RequestTower", "PctrTrainer", "Impressions", "PctrConfig"]
