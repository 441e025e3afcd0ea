from collections import Counter

import torch
import torch.nn.functional as F


class TooFewNegatives(RuntimeError):
    def __init__(self, relation, found):
        super().__init__(f"relation {relation}: only {found} distinct candidates")
        self.relation = relation


class MarginObjective:
    """Margin loss with type-constrained hard negatives; uniform corruption where there are too few."""

    def __init__(self, model, source, cfg):
        self.model = model
        self.source = source
        self.cfg = cfg
        self.mining_failures = []

    def __call__(self, batch):
        try:
            return self._hard(*batch)
        except TooFewNegatives as err:
            self.mining_failures.append(err)  # <- culprit
        return self._uniform(*batch)

    def _hard(self, relation, head, tail):
        rel = torch.full_like(head, relation)
        positive = self.model(head, rel, tail)
        candidates = self.source.draw_tails(relation, (self.cfg.n_candidates,))
        negative = self.model(head[:, None], rel[:, None], candidates[None, :])
        hardest = self._select(relation, candidates, negative)
        return F.relu(self.cfg.margin - positive[:, None] + hardest).mean()

    def _select(self, relation, candidates, scores):
        distinct = len(candidates.unique())
        if distinct < self.cfg.min_hard:
            raise TooFewNegatives(relation, distinct)
        return scores.topk(self.cfg.min_hard, dim=1).values

    def _uniform(self, relation, head, tail):
        rel = torch.full_like(head, relation)
        positive = self.model(head, rel, tail)
        negative = self.model(head, rel, self.source.uniform_tails(head.shape))
        return F.relu(self.cfg.margin - positive + negative).mean()

    def failure_table(self):
        return Counter(err.relation for err in self.mining_failures)
