import torch
import torch.nn as nn
import torch.nn.functional as F


def make_net(hidden=32, classes=4):
    return nn.Sequential(nn.Linear(2, hidden), nn.ReLU(), nn.Linear(hidden, classes))


class Learner:
    def __init__(self, net, reg, lr):
        self.net, self.reg = net, reg
        self.opt = torch.optim.SGD(net.parameters(), lr=lr)

    def learn(self, task, steps, batch=32):
        self.net.train()
        ce_sum = pen_sum = 0.0
        for _ in range(steps):
            x, y = task.batch(batch)
            ce = F.cross_entropy(self.net(x), y)
            pen = self.reg.penalty()
            self.opt.zero_grad()
            (ce + pen).backward()
            self.opt.step()
            self.reg.after_step()
            ce_sum += ce.item()
            pen_sum += pen.item()
        self.reg.after_task()
        return {"ce": ce_sum / steps, "pen": pen_sum / steps}

    @torch.no_grad()
    def accuracy(self, task):
        self.net.eval()
        return (self.net(task.x).argmax(1) == task.y).float().mean().item()
