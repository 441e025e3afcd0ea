import torch
import torch.nn.functional as F


class Engine:
    def __init__(self, net, cfg):
        self.net = net
        self.cfg = cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
        self.best = 0.0
        self.log = []

    def train_step(self, x, y):
        self.net.train()
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def evaluate(self, dataset):
        self.net.eval()
        torch.set_grad_enabled(False)  # <- culprit
        hits = 0
        for x, y in dataset.in_order(50):
            hits += (self.net(x).argmax(dim=1) == y).sum().item()
        return hits / len(dataset)

    def fit(self, train_set, valid_set):
        for step in range(1, self.cfg["steps"] + 1):
            x, y = train_set.sample(self.cfg["batch"])
            loss = self.train_step(x, y)
            self.log.append(loss)
            if step % self.cfg["log_every"] == 0:
                recent = self.log[-self.cfg["log_every"]:]
                print(f"step {step} loss {sum(recent) / len(recent):.4f}")
            if step % self.cfg["eval_every"] == 0:
                acc = self.evaluate(valid_set)
                if acc > self.best:
                    self.best = acc
                print(f"   valid accuracy {acc:.3f} (best {self.best:.3f})")
