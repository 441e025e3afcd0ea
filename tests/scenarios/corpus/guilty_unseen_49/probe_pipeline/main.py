# gradwatch-corpus: kind=graph-chain
# holder: self.center | stage.center | pipeline.stages[1].center | self.stages[1].center | self.pipeline.stages[1].center
# first-bad: 1
import torch

from config import ProbeConfig
from data import FeatureStore
from stages import build_pipeline


class ProbeRunner:
    def __init__(self, cfg: ProbeConfig):
        self.cfg = cfg
        self.pipeline = build_pipeline(cfg)
        self.store = FeatureStore(cfg.dim, cfg.classes, cfg.seed)
        self.opt = torch.optim.SGD(self.pipeline.parameters(), lr=cfg.lr)

    def fit(self):
        hits, seen = 0, 0
        for it in range(self.cfg.iters):
            rec = self.pipeline(self.store.batch(self.cfg.batch))
            self.opt.zero_grad()
            rec.loss.backward(**self.cfg.backward)
            self.opt.step()
            hits += int((rec.logits.argmax(1) == rec.labels).sum())
            seen += len(rec.labels)
            if (it + 1) % self.cfg.report == 0:
                print(f"{it + 1:4d} loss={rec.loss.item():.4f} acc={hits / seen:.3f}")
                hits = seen = 0


if __name__ == "__main__":
    cfg = ProbeConfig()
    torch.manual_seed(cfg.seed)
    ProbeRunner(cfg).fit()
