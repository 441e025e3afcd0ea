import torch


class RoadFlow:
    def __init__(self, n, k):
        a = torch.zeros(n, n)
        for i in range(n):
            a[i, torch.randperm(n)[:k]] = 1.0
        self.adj = a / a.sum(1, keepdim=True)
        self.flow = torch.rand(n)
        self.t = 0

    def tick(self):
        push = 0.3 * torch.sin(torch.tensor(self.t / 6.0))
        self.flow = 0.6 * self.flow + 0.4 * (self.adj @ self.flow) + 0.1 * push
        self.flow = self.flow + 0.02 * torch.randn_like(self.flow)
        self.t += 1
        return self.flow.clone()
