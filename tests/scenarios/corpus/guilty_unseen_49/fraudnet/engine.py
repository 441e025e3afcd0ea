from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class EngineConfig:
    steps: int = 100
    lr: float = 1e-3
    log_every: int = 20


class Engine:
    def __init__(self, net, cfg: EngineConfig) -> None:
        self.net = net
        self.cfg = cfg
        self.optim = torch.optim.Adam(net.parameters(), lr=cfg.lr)

    def train_step(self, x, y) -> float:
        loss = F.binary_cross_entropy_with_logits(self.net(x), y)
        self.optim.zero_grad(set_to_none=True)
        loss.backward()
        self.optim.step()
        return loss.item()

    def run(self, stream) -> None:
        self.net.train()
        running = 0.0
        for i, (x, y) in enumerate(stream, start=1):
            running += self.train_step(x, y)
            if i % self.cfg.log_every == 0:
                print(f"step {i:4d}  loss {running / self.cfg.log_every:.4f}")
                running = 0.0
