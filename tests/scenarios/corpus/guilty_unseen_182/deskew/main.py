# gradwatch-corpus: kind=second-backward
# first-bad: 9
"""Glyph recognition with an auxiliary rotation head, as in our workshop paper."""
import torch

from src.config import Config
from src.glyphs import GlyphSampler
from src.nets import GlyphNet
from src.engine import Trainer


def main():
    cfg = Config(steps=500, aux_every=10, aux_weight=0.3)
    torch.manual_seed(cfg.seed)
    sampler = GlyphSampler(cfg.size, cfg.classes, cfg.seed)
    net = GlyphNet(cfg.size, cfg.classes)
    trainer = Trainer(net, cfg)
    for step in range(cfg.steps):
        stats = trainer.step(sampler.batch(cfg.batch), step)
        if step % cfg.log_every == 0:
            print(step, " ".join(f"{k}={v:.4f}" for k, v in stats.items()))


if __name__ == "__main__":
    main()
