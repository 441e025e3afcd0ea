# gradwatch-corpus: kind=graph-held
# holder: self._rows[image_id] | self._rows | ledger._rows | self.ledger._rows | criterion.ledger._rows | self.criterion.ledger._rows | engine.criterion.ledger._rows | row.terms | row | self._rows[image_id].terms
# first-bad: 1
# notice: 8
import torch

from .config import DetConfig
from .criterion import SetCriterion
from .data import ShapesStream
from .model import CenterDetector


class Engine:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = CenterDetector(cfg.channels, cfg.num_classes)
        self.criterion = SetCriterion(cfg)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr, weight_decay=1e-4)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=cfg.lr, total_steps=cfg.iters
        )

    def train(self):
        for it, batch in enumerate(ShapesStream(self.cfg)):
            outputs = self.model(batch["images"])
            loss_dict = self.criterion(outputs, batch)
            total = sum(self.criterion.weights[k] * v for k, v in loss_dict.items())
            self.optimizer.zero_grad(set_to_none=True)
            total.backward()
            self.optimizer.step()
            self.scheduler.step()
            if (it + 1) % self.cfg.log_every == 0:
                terms = ", ".join(f"{k}={v.item():.3f}" for k, v in loss_dict.items())
                hard = self.criterion.ledger.hardest(3)
                print(f"[{it + 1}/{self.cfg.iters}] {terms} | hardest images {hard}")
        return self


def main():
    torch.set_num_threads(1)
    cfg = DetConfig()
    torch.manual_seed(cfg.seed)
    engine = Engine(cfg).train()
    print("images seen:", len(engine.criterion.ledger))


main()
