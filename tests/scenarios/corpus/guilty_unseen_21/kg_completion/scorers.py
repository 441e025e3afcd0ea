import torch
from torch import nn

from registry import register


class Scorer(nn.Module):
    def __init__(self, n_entities, n_relations, dim):
        super().__init__()
        self.entity = nn.Embedding(n_entities, dim)
        self.relation = nn.Embedding(n_relations, dim)
        nn.init.xavier_uniform_(self.entity.weight)
        nn.init.xavier_uniform_(self.relation.weight)


@register("scorer", "distmult")
class DistMult(Scorer):
    def forward(self, head, rel, tail):
        return (self.entity(head) * self.relation(rel) * self.entity(tail)).sum(-1)


@register("scorer", "transe")
class TransE(Scorer):
    def forward(self, head, rel, tail):
        return -torch.norm(self.entity(head) + self.relation(rel) - self.entity(tail), dim=-1)
