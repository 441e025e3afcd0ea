import torch


class HeatOnGraph:
    def __init__(self, nodes, seed):
        g = torch.Generator().manual_seed(seed)
        a = (torch.rand(nodes, nodes, generator=g) < 0.2).float()
        a = ((a + a.t()) > 0).float()
        a.fill_diagonal_(0)
        lap = torch.diag(a.sum(1)) - a
        self.kernel = torch.matrix_exp(-0.3 * lap)
        self.nodes, self.g = nodes, g

    def sample(self, n):
        x0 = torch.zeros(n, self.nodes, 1)
        hot = torch.randint(0, self.nodes, (n, 3), generator=self.g)
        x0[torch.arange(n)[:, None], hot] = 1.0
        return x0, self.kernel @ x0
