# gradwatch-corpus: kind=none
# after: company fine-tuning scripts: gradient accumulation, bf16 autocast, checkpointing, AveragedModel, eval every k
"""Tagging the important sentences of meeting minutes with a small transformer. In-house training script."""
import contextlib
import math
from dataclasses import dataclass
from typing import Iterator

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.checkpoint import checkpoint


@dataclass
class TrainConfig:
    vocab: int = 200
    d_model: int = 32
    layers: int = 2
    seq: int = 32
    micro_batch: int = 8
    accumulate: int = 4
    updates: int = 80
    warmup: int = 10
    lr: float = 3e-3
    ema: float = 0.95
    eval_every: int = 20
    checkpointing: bool = True


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))

    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).chunk(3, -1)
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v))
        return x + self.mlp(self.n2(x))


class SentenceTagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.d_model)
        self.pos = nn.Parameter(0.02 * torch.randn(cfg.seq, cfg.d_model))
        self.blocks = nn.ModuleList(Block(cfg.d_model) for _ in range(cfg.layers))
        self.out = nn.Linear(cfg.d_model, 1)
        self.checkpointing = cfg.checkpointing

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for block in self.blocks:
            if self.checkpointing and self.training:
                x = checkpoint(block, x, use_reentrant=False)
            else:
                x = block(x)
        return self.out(x).squeeze(-1)


def minutes(cfg, seed) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """A token matters when it is a decision word (id < 20) in a document that has a vote (id 199)."""
    g = torch.Generator().manual_seed(seed)
    while True:
        ids = torch.randint(0, cfg.vocab - 1, (cfg.micro_batch, cfg.seq), generator=g)
        vote = torch.rand(cfg.micro_batch, generator=g) < 0.5
        ids[vote, 0] = cfg.vocab - 1
        yield ids, ((ids < 20) & vote.unsqueeze(1)).float()


class Run:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = SentenceTagger(cfg)
        self.ema = AveragedModel(self.model, multi_avg_fn=get_ema_multi_avg_fn(cfg.ema))
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, self.schedule)
        self.losses = []

    def schedule(self, step):
        if step < self.cfg.warmup:
            return (step + 1) / self.cfg.warmup
        done = (step - self.cfg.warmup) / max(1, self.cfg.updates - self.cfg.warmup)
        return 0.5 * (1 + math.cos(math.pi * done))

    @contextlib.contextmanager
    def evaluation(self):
        self.ema.eval()
        with torch.no_grad():
            yield self.ema.module

    def update(self, stream):
        total = 0.0
        for _ in range(self.cfg.accumulate):
            ids, y = next(stream)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = self.model(ids)
            loss = F.binary_cross_entropy_with_logits(logits.float(), y, pos_weight=torch.tensor(5.0))
            (loss / self.cfg.accumulate).backward()
            total += loss.item() / self.cfg.accumulate
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.sched.step()
        self.ema.update_parameters(self.model)
        return total

    def evaluate(self, stream, batches=8):
        tp = fp = fn = 0
        with self.evaluation() as model:
            for _ in range(batches):
                ids, y = next(stream)
                hit = model(ids) > 0
                tp += (hit & (y > 0)).sum().item()
                fp += (hit & (y == 0)).sum().item()
                fn += (~hit & (y > 0)).sum().item()
        return 2 * tp / max(1, 2 * tp + fp + fn)

    def train(self):
        train, valid = minutes(self.cfg, 0), minutes(self.cfg, 1)
        for step in range(1, self.cfg.updates + 1):
            self.losses.append(self.update(train))
            if step % self.cfg.eval_every == 0:
                print(f"update {step} loss {self.losses[-1]:.4f} ema F1 {self.evaluate(valid):.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Run(TrainConfig()).train()
