import torch
import torch.nn.functional as F

from ratings import batches


class Fitter:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.steps = 0

    def fit_epoch(self, rows, batch_size):
        total, count = 0.0, 0
        for u, m, stars in batches(rows, batch_size):
            self.opt.zero_grad()
            loss = self.loss(u, m, stars)
            loss.backward()
            self.opt.step()
            self.steps += 1
            total += loss.item() * len(stars)
            count += len(stars)
        return total / count

    def loss(self, u, m, stars):
        error = F.mse_loss(self.net(u, m), stars)
        return error + 0.5 * self.net.wander()

    @torch.no_grad()
    def evaluate(self, rows):
        errors = [F.mse_loss(self.net(u, m), s, reduction="sum") for u, m, s in batches(rows, 200)]
        return (sum(errors) / len(rows)).sqrt().item()
