import torch
from torch import nn


class RegionalRunoff(nn.Module):
    """Bucket model whose coefficients come from static catchment attributes."""

    def __init__(self, n_static, width=24):
        super().__init__()
        self.attribute_net = nn.Sequential(
            nn.Linear(n_static, width),
            nn.Tanh(),
            nn.Linear(width, 3),
        )
        self._attributes = {}

    def coefficients(self, season):
        if season.group not in self._attributes:
            raw = self.attribute_net(season.static)
            self._attributes[season.group] = torch.sigmoid(raw).unbind(dim=1)  # <- culprit
        return self._attributes[season.group]  # <- culprit

    def forward(self, season):
        recession, fast_share, loss_factor = self.coefficients(season)
        store = torch.full_like(recession, 10.0)
        flows = []
        for rain, evaporation in zip(season.rain, season.evaporation):
            fast = fast_share * rain
            loss = 2.0 * loss_factor * evaporation
            store = torch.relu(store + rain - fast - loss)
            slow = 0.2 * recession * store
            store = store - slow
            flows.append(fast + slow)
        return torch.stack(flows)
