from dataclasses import dataclass

import torch


@dataclass
class Season:
    group: int
    static: torch.Tensor
    rain: torch.Tensor
    evaporation: torch.Tensor
    flow: torch.Tensor


class Region:
    n_static = 6

    def __init__(self, n_groups, per_group):
        self.static = torch.randn(n_groups, per_group, self.n_static)
        mix = torch.randn(self.n_static, 2) * 0.4
        self.truth = torch.sigmoid(self.static @ mix - 1.0)

    def season(self, group, days):
        static = self.static[group]
        recession, fast_share = self.truth[group].unbind(dim=1)
        n = static.shape[0]
        wet = (torch.rand(days, n) < 0.35).float()
        rain = wet * torch.empty(days, n).exponential_(0.15)
        evaporation = 1.0 + torch.rand(days, n)
        store = torch.full((n,), 10.0)
        flow = torch.empty(days, n)
        for day in range(days):
            fast = fast_share * rain[day]
            store = (store + rain[day] - fast - evaporation[day]).clamp(min=0.0)
            slow = 0.2 * recession * store
            store = store - slow
            flow[day] = fast + slow
        return Season(group, static, rain, evaporation, flow)
