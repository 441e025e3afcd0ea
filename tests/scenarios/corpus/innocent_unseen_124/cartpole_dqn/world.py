import torch


class Balance:
    def reset(self):
        self.s = 0.05 * torch.randn(4)
        self.n = 0
        return self.s

    def step(self, a):
        x, v, th, w = self.s.tolist()
        push = 1.0 if a else -1.0
        v, w = v + 0.05 * push, w + 0.1 * th - 0.08 * push
        self.s = torch.tensor([x + 0.05 * v, v, th + 0.05 * w, w])
        self.n += 1
        done = abs(th) > 0.3 or abs(x) > 1 or self.n >= 60
        return self.s, 1.0, done
