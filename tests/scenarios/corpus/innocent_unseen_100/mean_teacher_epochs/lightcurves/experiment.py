import torch
import torch.nn.functional as F


class Experiment:
    def __init__(self, p, net, teacher, catalogue, journal):
        self.p, self.net, self.teacher = p, net, teacher
        self.catalogue, self.journal = catalogue, journal
        self.opt = torch.optim.Adam(net.parameters(), lr=p.lr)
        self.epoch_means = []

    def losses(self, x, y, u):
        sup = F.cross_entropy(self.net(x), y)
        goal = self.teacher(self.catalogue.jitter(u))
        cons = F.mse_loss(self.net(self.catalogue.jitter(u)).softmax(-1), goal)
        return {"sup": sup, "cons": cons, "total": sup + self.p.weight * cons}

    def epoch(self, number):
        seen = []
        for x, y, u in self.catalogue.epoch(self.p.steps):
            parts = self.losses(x, y, u)
            self.opt.zero_grad()
            parts["total"].backward()
            self.opt.step()
            self.teacher.follow(self.net)
            seen.append(parts["total"])
            self.journal.write(lambda parts=parts: " ".join(f"{k}={v.item():.3f}" for k, v in parts.items()))
        self.epoch_means.append(torch.stack(seen).mean().item())

    def evaluate(self):
        x, y = self.catalogue.curves(200)
        return (self.teacher(x).argmax(-1) == y).float().mean().item()
