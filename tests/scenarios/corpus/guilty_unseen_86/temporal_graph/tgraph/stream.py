from dataclasses import dataclass

import torch


@dataclass
class Events:
    src: torch.Tensor
    dst: torch.Tensor
    neg: torch.Tensor
    feat: torch.Tensor


class InteractionStream:
    """Two hidden communities; events mostly stay inside one."""

    def __init__(self, n_nodes, feat_dim, batch_size, seed):
        self.n = n_nodes
        self.bs = batch_size
        self.gen = torch.Generator().manual_seed(seed)
        self.side = torch.arange(n_nodes) % 2
        self.proto = torch.randn(2, feat_dim, generator=self.gen)

    def _pick(self, side):
        base = torch.randint(0, self.n // 2, side.shape, generator=self.gen)
        return 2 * base + side

    def batches(self, count):
        for _ in range(count):
            src = torch.randint(0, self.n, (self.bs,), generator=self.gen)
            s = self.side[src]
            flip = (torch.rand(self.bs, generator=self.gen) < 0.1).long()
            dst = self._pick((s + flip) % 2)
            neg = self._pick((s + 1) % 2)
            noise = torch.randn(self.bs, self.proto.shape[1], generator=self.gen)
            yield Events(src, dst, neg, self.proto[s] + 0.5 * noise)
