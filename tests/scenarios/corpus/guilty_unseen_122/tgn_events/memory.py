import torch
from torch import nn


class NodeMemory(nn.Module):
    """Leaky memory: every event adds an encoded message to both of its ends."""

    def __init__(self, nodes, feat, dim, decay):
        super().__init__()
        self.encode = nn.Linear(feat + 1, dim)
        self.decay = decay
        self.shape = (nodes, dim)
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.shape)

    def ingest(self, src, dst, feats, dt):
        msg = torch.tanh(self.encode(torch.cat([feats, dt[:, None]], -1)))
        new = torch.lerp(self.state, torch.zeros(self.shape), self.decay)
        new = new.index_add(0, src, msg).index_add(0, dst, msg)
        self.state = new  # <- culprit

    def read(self, nodes):
        return self.state[nodes]


class LinkScorer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(2 * dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, a, b):
        return self.mlp(torch.cat([a, b], -1)).squeeze(-1)


class TGN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.memory = NodeMemory(cfg.nodes, cfg.feat, cfg.mem, cfg.decay)
        self.score = LinkScorer(cfg.mem)
