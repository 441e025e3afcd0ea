import torch


class Room:
    """n rooms in parallel: temperature, outside temperature, wish."""

    def __init__(self, n):
        self.x = torch.rand(n, 3)

    def obs(self):
        return self.x.clone()

    def step(self, act):
        temp, out, wish = self.x.unbind(1)
        temp.add_(0.1 * (out - temp) + 0.15 * act.squeeze(1))
        out.add_(0.02 * torch.randn_like(out)).clamp_(-1, 1)
        r = -(temp - wish).abs() - 0.05 * act.squeeze(1).abs()
        return r.unsqueeze(1)


class RingBuffer:
    def __init__(self, cap, od, ad):
        self.o, self.o2 = torch.zeros(cap, od), torch.zeros(cap, od)
        self.a, self.r = torch.zeros(cap, ad), torch.zeros(cap, 1)
        self.cap, self.ptr, self.count = cap, 0, 0

    def write(self, o, a, r, o2):
        i = (self.ptr + torch.arange(len(o))) % self.cap
        for store, v in ((self.o, o), (self.a, a), (self.r, r), (self.o2, o2)):
            store.index_copy_(0, i, v)
        self.ptr = (self.ptr + len(o)) % self.cap
        self.count = min(self.cap, self.count + len(o))

    def sample(self, n):
        i = torch.randint(0, self.count, (n,))
        return self.o[i], self.a[i], self.r[i], self.o2[i]
