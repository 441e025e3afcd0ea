import torch


class PupilPool:
    def __init__(self, pupils, skills):
        self.n, self.skills = pupils, skills
        self.know = torch.zeros(pupils, skills)

    def ask(self, which):
        rows = torch.arange(self.n)
        p = torch.sigmoid(2 * self.know[rows, which] - 1)
        right = torch.bernoulli(p)
        self.know[rows, which] += 0.2
        self.know *= 0.98
        leave = torch.rand(self.n) < 0.03
        self.know[leave] = 0.0
        obs = torch.zeros(self.n, 2 * self.skills)
        obs[rows, which + self.skills * right.long()] = 1.0
        return obs, self.know.mean(1), (~leave).float()
