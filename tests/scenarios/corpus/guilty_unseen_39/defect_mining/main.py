# gradwatch-corpus: kind=graph-held
# holder: self.bank | criterion.bank | self.criterion.bank | trainer.criterion.bank
# first-bad: 1
import torch

from dataset import SurfacePatches
from losses import HardMiningLoss
from network import PatchNet


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.train_set = SurfacePatches(cfg["n_train"])
        self.val_set = SurfacePatches(cfg["n_val"])
        self.net = PatchNet(self.train_set.n_features)
        self.criterion = HardMiningLoss(size=cfg["bank"])
        self.optim = torch.optim.Adam(self.net.parameters(), lr=cfg["lr"], weight_decay=1e-4)
        self.sched = torch.optim.lr_scheduler.StepLR(self.optim, 1, gamma=0.7)

    def run_epoch(self):
        self.net.train()
        mean, used, n = 0.0, 0.0, 0
        for x, y in self.train_set.batches(self.cfg["batch"]):
            self.optim.zero_grad()
            loss = self.criterion(self.net(x), y)
            loss.backward()
            self.optim.step()
            mean += loss.item()
            used += self.criterion.last_used
            n += 1
        self.sched.step()
        return mean / n, used / n

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        hit = tot = 0
        for x, y in self.val_set.batches(256):
            hit += int(((self.net(x) > 0) == (y > 0.5)).sum())
            tot += len(y)
        return hit / tot

    def run(self):
        for e in range(self.cfg["epochs"]):
            loss, used = self.run_epoch()
            print(f"[{e + 1}/{self.cfg['epochs']}] loss={loss:.4f} hard share={used:.2f} val={self.validate():.3f}")


CONFIG = dict(seed=4, n_train=1600, n_val=600, batch=40, epochs=3, lr=3e-3, bank=64)

if __name__ == "__main__":
    trainer = Trainer(CONFIG)
    trainer.run()
