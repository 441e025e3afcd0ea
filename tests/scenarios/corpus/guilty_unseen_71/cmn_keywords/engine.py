from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Settings:
    steps: int = 110
    batch: int = 12
    lr: float = 4e-3
    voice_weight: float = 0.3
    retain_graph: bool = True
    log_every: int = 20


class Engine:
    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)

    def objective(self, batch):
        mel, word, voice = batch
        logits_w, logits_v = self.net(mel)
        return (F.cross_entropy(logits_w, word)
                + self.cfg.voice_weight * F.cross_entropy(logits_v, voice))

    def fit(self, batches):
        self.net.train()
        for step, batch in enumerate(batches):
            loss = self.objective(batch)
            self.opt.zero_grad(set_to_none=True)
            loss.backward(retain_graph=self.cfg.retain_graph)
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.opt.step()
            if step % self.cfg.log_every == 0:
                print(f"step {step:3d} loss {loss.item():.4f}")
