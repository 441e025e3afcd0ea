import torch


class ToyGraph:
    def __init__(self, cfg):
        self.cfg = cfg
        self.head = torch.randint(cfg.entities, (cfg.edges,))
        self.rel = torch.randint(cfg.relations, (cfg.edges,))
        self.tail = (self.head * 3 + self.rel * 7) % cfg.entities
        adj = torch.zeros(cfg.entities, cfg.entities)
        adj[self.head, self.tail] = 1.0
        adj = adj + adj.T + torch.eye(cfg.entities)
        self.adj = adj / adj.sum(1, keepdim=True)

    def triples(self, batch):
        while True:
            i = torch.randint(self.cfg.edges, (batch,))
            yield self.head[i], self.rel[i], self.tail[i]
