import torch


class VecPendulum:
    def __init__(self, num):
        self.num = num
        self.th = torch.rand(num) * 6.28
        self.dth = torch.zeros(num)
        self.age = torch.randint(0, 50, (num,))

    def rollout(self, T):
        obs, acts, resets = [], [], []
        for _ in range(T):
            done = self.age >= 50
            self.th = torch.where(done, torch.rand(self.num) * 6.28, self.th)
            self.dth = torch.where(done, torch.zeros(self.num), self.dth)
            self.age = torch.where(done, torch.zeros_like(self.age), self.age + 1)
            u = torch.randn(self.num).clamp(-2, 2)
            self.dth = (self.dth + 0.05 * (15 * torch.sin(self.th) + 3 * u)).clamp(-8, 8)
            self.th = self.th + 0.05 * self.dth
            obs.append(torch.stack([self.th.cos(), self.th.sin(), self.dth / 8], -1))
            acts.append(u[:, None])
            resets.append(done)
        return torch.stack(obs), torch.stack(acts), torch.stack(resets)
