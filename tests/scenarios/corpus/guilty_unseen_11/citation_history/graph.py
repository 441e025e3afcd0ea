import torch


class CommunityGraph:
    """Stochastic block model; dense, as 400 nodes are few. The features are weak on their own."""

    def __init__(self, n, classes, dim, gen, inside=0.08, outside=0.005):
        self.n = n
        self.y = torch.arange(n) % classes
        same = self.y[:, None] == self.y[None, :]
        prob = torch.where(same, torch.tensor(inside), torch.tensor(outside))
        upper = (torch.rand(n, n, generator=gen) < prob).float().triu(1)
        self.adjacency = upper + upper.t()
        centre = torch.randn(classes, dim, generator=gen)
        self.x = 0.5 * centre[self.y] + torch.randn(n, dim, generator=gen)

    def mean_rows(self, nodes):
        rows = self.adjacency[nodes]
        return rows / rows.sum(dim=1, keepdim=True).clamp(min=1.0)
