import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, bus, lr):
        self.net, self.bus = net, bus
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def predict(self, z, a, k):
        share, _ = self.net(z, a)
        value = share.mean(1)
        self.bus.emit("scaled", k=k, value=value)
        return share, value

    def fit(self, data):
        for k, (z, a, y) in enumerate(data):
            share, value = self.predict(z, a, k)
            loss = F.smooth_l1_loss(value, y)
            self.opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.opt.step()
            self.bus.emit("step", k=k, per_atom=share)  # <- culprit
