from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class TrainerConfig:
    minutes: int = 200
    lr: float = 1e-2
    clip: float = 1.0
    report_every: int = 50


class StreamTrainer:
    def __init__(self, estimator, cfg):
        self.estimator = estimator
        self.cfg = cfg
        self.opt = torch.optim.Adam(estimator.parameters(), lr=cfg.lr)
        self.mae = []

    def _minute(self, u, purity):
        est = self.estimator(u)
        loss = F.smooth_l1_loss(est, purity, beta=0.1)
        self.opt.zero_grad(set_to_none=True)
        # the stream is one sequence, the next minute still needs the buffers
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.estimator.parameters(), self.cfg.clip)
        self.opt.step()
        return loss.item(), (est.detach() - purity).abs().mean().item()

    def run(self, stream):
        for minute in range(self.cfg.minutes):
            u, purity = stream.minute()
            loss, mae = self._minute(u, purity)
            self.mae.append(mae)
            if minute % self.cfg.report_every == 0:
                print(f"minute {minute:4d}  loss {loss:.5f}  mae {mae:.4f}")
        return sum(self.mae[-60:]) / 60
