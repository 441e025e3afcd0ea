import torch


class PermutedTask:
    def __init__(self, centers, perm, noise):
        self.centers = centers
        self.perm = perm
        self.noise = noise

    def sample(self, n):
        y = torch.randint(0, len(self.centers), (n,))
        x = self.centers[y] + self.noise * torch.randn(n, self.centers.size(1))
        return x[:, self.perm], y


def permuted_tasks(n_tasks, dim, classes, noise=0.7):
    centers = torch.randn(classes, dim)
    tasks = []
    for _ in range(n_tasks):
        tasks.append(PermutedTask(centers, torch.randperm(dim), noise))
    return tasks
