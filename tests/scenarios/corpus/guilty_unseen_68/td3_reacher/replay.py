import torch


class Replay:
    def __init__(self, cap, obs_dim, act_dim):
        self.s = torch.zeros(cap, obs_dim)
        self.a = torch.zeros(cap, act_dim)
        self.r = torch.zeros(cap)
        self.s2 = torch.zeros(cap, obs_dim)
        self.d = torch.zeros(cap)
        self.cap, self.n = cap, 0

    def __len__(self):
        return min(self.n, self.cap)

    def add(self, s, a, r, s2, d):
        i = self.n % self.cap
        self.s[i], self.a[i], self.r[i], self.s2[i], self.d[i] = s, a, r, s2, float(d)
        self.n += 1

    def sample(self, k):
        i = torch.randint(len(self), (k,))
        return self.s[i], self.a[i], self.r[i], self.s2[i], self.d[i]
