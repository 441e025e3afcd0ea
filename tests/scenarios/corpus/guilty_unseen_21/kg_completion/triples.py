import torch


class TripleSource:
    """Random graph; batches go through the relations in turn, as our sharded store serves them."""

    def __init__(self, cfg, seed):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.tail_pool = [torch.randperm(cfg.n_entities, generator=self.gen)[:n] for n in cfg.tails_per_relation]
        per = cfg.n_triples // cfg.n_relations
        self.heads = [torch.randint(cfg.n_entities, (per,), generator=self.gen) for _ in range(cfg.n_relations)]
        self.tails = [self.draw_tails(r, (per,)) for r in range(cfg.n_relations)]

    def draw_tails(self, relation, shape):
        pool = self.tail_pool[relation]
        return pool[torch.randint(len(pool), shape, generator=self.gen)]

    def uniform_tails(self, shape):
        return torch.randint(self.cfg.n_entities, shape, generator=self.gen)

    def batches(self, size):
        turn = 0
        while True:
            relation = turn % self.cfg.n_relations
            pick = torch.randint(len(self.heads[relation]), (size,), generator=self.gen)
            yield relation, self.heads[relation][pick], self.tails[relation][pick]
            turn += 1
