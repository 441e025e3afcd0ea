# gradwatch-corpus: kind=inplace-modified
# holder: self.u | self.v | SpectralCap.u | SpectralCap.v
# first-bad: 60
# notice: 0
"""Insurance quote scorer with spectrally capped layers; consistency regularisation after a warm-up."""
import torch

from config import ScorerConfig
from objectives import build_objectives
from scorer import QuoteScorer
from trainer import ScorerTrainer


def main() -> None:
    torch.set_num_threads(1)
    cfg = ScorerConfig()
    torch.manual_seed(cfg.seed)
    model = QuoteScorer(cfg.features, cfg.hidden, cfg.cap)
    trainer = ScorerTrainer(model, build_objectives(cfg.objectives), cfg)
    trainer.fit()


if __name__ == "__main__":
    main()
