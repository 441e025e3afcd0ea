# gradwatch-corpus: kind=graph-held
# holder: trainer._unit._pending | self._pending | self._unit._pending | unit._pending | unit | self._unit | work._pending
# first-bad: 1
# notice: 8
"""Composition root of the ad copy ranker."""
import torch

from contracts import TrainerSettings
from infrastructure import LedgerSink, UnitOfWork
from model import CopyScorer
from service import RankingTrainer
from source import SyntheticAuctions

torch.set_num_threads(1)

def build(settings: TrainerSettings):
    torch.manual_seed(settings.seed)
    sink = LedgerSink()
    unit = UnitOfWork(name="ranker-fit")
    scorer = CopyScorer(settings.vocabulary, settings.width)
    source = SyntheticAuctions(settings.vocabulary, settings.batch, settings.seed)
    return RankingTrainer(scorer, source, sink, unit, settings), sink

def main() -> None:
    trainer, sink = build(TrainerSettings())
    summary = trainer.run()
    print("final hinge", round(summary.final_loss, 4), "ledger rows", len(sink.rows))
    print("mean margin of the last ten", round(sink.tail_mean("margin", 10), 4))

if __name__ == "__main__":
    main()
