# gradwatch-corpus: kind=graph-chain
# holder: self._ctx[name] | self._ctx | adapter._ctx[name] | adapter._ctx | self.adapter._ctx | solver.adapter._ctx | ctx | phi
# first-bad: 1
# notice: 5
"""Online CAVIA: a shared network plus a small context vector fitted to a drifting stream."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from adapt import ContextAdapter
from net import ContextNet
from streams import DriftingSine


@dataclass
class Cfg:
    iters: int = 120
    k_support: int = 12
    k_query: int = 24
    ctx_dim: int = 6
    hidden: int = 32
    inner_lr: float = 0.4
    inner_steps: int = 2
    meta_lr: float = 2e-3
    seed: int = 11


class MetaSolver:
    def __init__(self, cfg: Cfg):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.net = ContextNet(cfg.hidden, cfg.ctx_dim)
        self.adapter = ContextAdapter(self.net, cfg.inner_lr, cfg.inner_steps)
        self.stream = DriftingSine("rig-a", cfg.k_support, cfg.k_query)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.meta_lr)
        self.curve = []

    def meta_step(self, episode):
        phi = self.adapter.fit(episode.stream, episode.xs, episode.ys)
        query = F.mse_loss(self.net(episode.xq, phi), episode.yq)
        self.opt.zero_grad()
        query.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.opt.step()
        return query.item()

    def run(self):
        self.adapter.begin(self.stream.name)
        for it in range(self.cfg.iters):
            self.curve.append(self.meta_step(self.stream.next()))
            if (it + 1) % 30 == 0:
                recent = sum(self.curve[-30:]) / 30
                norm = self.adapter.context_norm(self.stream.name)
                print(f"iter {it + 1:4d}  query mse {recent:.4f}  |ctx| {norm:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    MetaSolver(Cfg()).run()
