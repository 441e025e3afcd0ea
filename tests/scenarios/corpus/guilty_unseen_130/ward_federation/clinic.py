import torch
import torch.nn.functional as F

from wire import unpack


def fresh_weights():
    return {"w1": torch.randn(12, 7) * 0.3, "b1": torch.zeros(12), "w2": torch.randn(2, 12) * 0.3, "b2": torch.zeros(2)}


def predict(w, x):
    h = F.elu(F.linear(x, w["w1"], w["b1"]))
    return F.linear(h, w["w2"], w["b2"])


class Clinic:
    def __init__(self, start, size, shift):
        self.w = {k: v.clone().requires_grad_() for k, v in start.items()}
        self.size = size
        self.x = torch.randn(size, 7) + shift
        self.y = (self.x[:, 0] - self.x[:, 3] > shift).long()
        self.last = float("nan")

    def receive(self, blob):
        self.w = unpack(blob)  # <- culprit

    def local_epochs(self, steps=45):
        opt = torch.optim.SGD(self.w.values(), lr=0.1, momentum=0.5)
        for _ in range(steps):
            pick = torch.randint(0, self.size, (12,))
            loss = F.cross_entropy(predict(self.w, self.x[pick]), self.y[pick])
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.last = loss.item()
