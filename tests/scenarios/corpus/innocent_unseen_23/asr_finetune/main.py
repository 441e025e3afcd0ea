# gradwatch-corpus: kind=none
import copy
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from model import Encoder, strings
from tracking import BadBatch, Ledger, timed


@dataclass
class FinetuneConfig:
    mels: int = 24
    dim: int = 64
    layers: int = 3
    vocab: int = 16
    batch: int = 6
    frames: int = 48
    accumulate: int = 3
    updates: int = 110
    eval_every: int = 22
    loss_ceiling: float = 5.0
    lr: float = 1e-3


class Corpus:
    def __init__(self, cfg, seed):
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(seed)
        self.codes = torch.randn(cfg.vocab, cfg.mels, generator=torch.Generator().manual_seed(1))

    def batch(self):
        c = self.cfg
        text = torch.randint(1, c.vocab, (c.batch, 8), generator=self.g)
        spec = self.codes[text].repeat_interleave(c.frames // 8, dim=1)
        level = 30.0 if torch.rand((), generator=self.g) < 0.05 else 1.0
        return level * spec + 0.5 * torch.randn(spec.shape, generator=self.g), text, level


class Finetuner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Encoder(cfg)
        self.average = copy.deepcopy(self.model).requires_grad_(False)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.ledger = Ledger()
        self.best = (float("inf"), None)
        self.data, self.held_out = Corpus(cfg, 2), Corpus(cfg, 3)

    @timed
    def ctc(self, model, spec, text, level):
        if level > 10:
            raise BadBatch("clipped recording", level=level, spec=spec)
        logp = model(spec).log_softmax(-1).transpose(0, 1)
        n = logp.size(1)
        return F.ctc_loss(logp, text, torch.full((n,), logp.size(0)), torch.full((n,), text.size(1)))

    def micro_losses(self):
        done = 0
        while done < self.cfg.accumulate:
            try:
                loss = self.ctc(self.model, *self.data.batch())
            except BadBatch as exc:
                self.ledger.reject(exc)
                continue
            done += 1
            yield loss / self.cfg.accumulate

    def update(self):
        self.opt.zero_grad()
        total = 0.0
        for loss in self.micro_losses():
            loss.backward()
            total += loss.item()
        self.opt.step()
        with torch.no_grad():
            for a, p in zip(self.average.parameters(), self.model.parameters()):
                a.mul_(0.97).add_(p, alpha=0.03)
        self.ledger.record("loss", total)
        self.ledger.record("weight_norm", torch.stack([p.detach().norm() for p in self.model.parameters()]).norm())

    @torch.inference_mode()
    def evaluate(self):
        losses, sample = [], None
        for _ in range(4):
            spec, text, _ = self.held_out.batch()
            losses.append(self.ctc(self.average, spec, text, 1.0))
            sample = strings(self.average(spec))[0]
        score = torch.stack(losses).mean().item()
        if score < self.best[0]:
            self.best = score, copy.deepcopy(self.average.state_dict())
        return score, sample

    def run(self):
        for u in range(1, self.cfg.updates + 1):
            self.update()
            if u % self.cfg.eval_every == 0:
                score, sample = self.evaluate()
                print(f"update {u}: train {self.ledger.last('loss'):.3f} held-out {score:.3f} '{sample}'")
        print(f"best {self.best[0]:.3f}, rejected {self.ledger.rejected}, {timed.summary()}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Finetuner(FinetuneConfig()).run()
