# gradwatch-corpus: kind=graph-held
# holder: self.mining_failures | objective.mining_failures | self.objective.mining_failures | err | self.mining_failures[-1] | self.mining_failures[-1].__traceback__ | job.objective.mining_failures
# first-bad: 4
# notice: 45
"""Link prediction on a synthetic drug-target graph. Scorers and samplers come from
the registries, this file only wires the config together."""
import torch

from config import RunConfig
from objective import MarginObjective
from registry import build
from triples import TripleSource

import scorers  # noqa: F401  (fills the registry)


class Job:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        self.source = TripleSource(cfg.graph, seed=cfg.seed)
        self.model = build("scorer", cfg.scorer, cfg.graph.n_entities, cfg.graph.n_relations, cfg.dim)
        self.objective = MarginObjective(self.model, self.source, cfg.objective)
        self.optimizer = torch.optim.Adagrad(self.model.parameters(), lr=cfg.lr)

    def step(self, batch):
        loss = self.objective(batch)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self):
        running = None
        for i, batch in zip(range(self.cfg.steps), self.source.batches(self.cfg.batch_size)):
            value = self.step(batch)
            running = value if running is None else 0.95 * running + 0.05 * value
            if i % self.cfg.log_every == 0:
                print(f"{i:4d}  loss {running:.4f}  fallbacks {len(self.objective.mining_failures)}")
        for relation, times in sorted(self.objective.failure_table().items()):
            print(f"relation {relation}: too few hard negatives in {times} batches")


if __name__ == "__main__":
    Job(RunConfig()).run()
