import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, reg, cfg):
        self.model, self.reg, self.cfg = model, reg, cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)

    def run_epoch(self, ds):
        self.model.train()
        ce_sum = pen_sum = 0.0
        n = 0
        for x, y in ds.batches(self.cfg.batch_size):
            self.opt.zero_grad()
            ce = F.cross_entropy(self.model(x), y)
            pen = self.reg()
            (ce + pen).backward()
            self.opt.step()
            ce_sum += ce.item()
            pen_sum += pen.item()
            n += 1
        return ce_sum / n, pen_sum / n

    @torch.no_grad()
    def accuracy(self, ds):
        self.model.eval()
        return (self.model(ds.x).argmax(-1) == ds.y).float().mean().item()
