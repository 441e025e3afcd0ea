import torch
from torch import nn


class Overloaded(ValueError):
    def __init__(self, depot, truck, load):
        super().__init__(f"depot {depot}: truck {truck} would carry {load:.2f}")
        self.depot = depot


class LoadSplitter(nn.Module):
    """Splits the parcels of a depot over its trucks (soft assignment)."""

    def __init__(self, n_trucks):
        super().__init__()
        self.homes = nn.Parameter(torch.randn(n_trucks, 2))
        self.score = nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 1))

    def forward(self, xy, weight):
        p, t = len(xy), len(self.homes)
        pair = torch.cat(
            [
                xy[:, None].expand(p, t, 2),
                self.homes[None].expand(p, t, 2),
                weight[:, None, None].expand(p, t, 1),
            ],
            dim=-1,
        )
        near = -(xy[:, None] - self.homes[None]).norm(dim=-1)
        return torch.softmax(self.score(pair).squeeze(-1) + near, dim=1)


def plan_cost(model, depot, xy, weight, capacity):
    share = model(xy, weight)
    load = (share * weight[:, None]).sum(0)
    km = (share * (xy[:, None] - model.homes[None]).norm(dim=-1)).sum(1)
    heaviest = int(load.argmax())
    fair = weight.sum() / len(load)
    if load[heaviest] > 2 * capacity * fair:
        raise Overloaded(depot, heaviest, load[heaviest].item())
    return km.mean() + 0.3 * (load / fair - 1).pow(2).mean()
