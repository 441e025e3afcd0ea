# gradwatch-corpus: kind=second-backward
# holder: self._table | encoder._table | self.encoder._table | trainer.encoder._table | table
# first-bad: 40
# notice: 0
"""Knowledge-graph completion: message-passing entity encoder + DistMult scoring."""
import torch

from kg.config import load
from kg.encoders import CachedEncoder, MessagePassing
from kg.graph import ToyGraph
from kg.loop import LinkTrainer
from kg.schedules import RefreshSchedule, TemperatureSchedule
from kg.scorers import SCORERS


def main():
    torch.set_num_threads(1)
    cfg = load({"train": {"steps": 200}})
    torch.manual_seed(cfg.seed)
    graph = ToyGraph(cfg.graph)
    encoder = CachedEncoder(MessagePassing(graph, cfg.model.dim, cfg.model.layers))
    scorer = SCORERS[cfg.model.scorer](cfg.graph.relations, cfg.model.dim)
    trainer = LinkTrainer(cfg.train, encoder, scorer)
    trainer.schedules += [TemperatureSchedule(), RefreshSchedule(warmup=40, every=4)]
    trainer.train(graph.triples(cfg.train.batch))
    print("mrr-ish", trainer.summary())


if __name__ == "__main__":
    main()
