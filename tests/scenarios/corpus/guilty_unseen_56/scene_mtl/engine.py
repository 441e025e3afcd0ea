import torch
import torch.nn.functional as F

LOSSES = {
    "seg": lambda p, y: F.cross_entropy(p, y),
    "depth": lambda p, y: F.l1_loss(p.squeeze(1), y),
    "normal": lambda p, y: 1 - F.cosine_similarity(p, y, dim=1).mean(),
}


class Engine:
    def __init__(self, net, schedule, lr=1e-3):
        self.net = net
        self.schedule = schedule
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.log = {t: [] for t in LOSSES}

    def task_loss(self, task, feats, target, step):
        pred = self.net.heads[task](feats)
        return self.schedule.weight(task, step) * LOSSES[task](pred, target)

    def step(self, step, images, targets):
        self.opt.zero_grad(set_to_none=True)
        feats = self.net.trunk(images)  # <- culprit
        for task in self.schedule.active(step):
            loss = self.task_loss(task, feats, targets[task], step)
            # one backward per task, so that we can log per-task gradient norms
            loss.backward()  # <- culprit
            self.log[task].append((loss.item(), self.trunk_norm()))
        self.opt.step()

    def trunk_norm(self):
        sq = sum(p.grad.pow(2).sum() for p in self.net.trunk.parameters())
        return float(sq.sqrt())
