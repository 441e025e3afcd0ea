# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
# notice: 8
"""Speaker embeddings from frame features: margin softmax plus learnable class centres."""
import torch

from config import Config
from losses import build_criterion
from models import FrameEncoder
from trainer import Trainer
from voices import VoiceBank


def evaluate(model, bank, cfg):
    """Share of trial pairs ordered rightly by cosine score."""
    model.eval()
    with torch.no_grad():
        a, la = bank.draw(128)
        b, lb = bank.draw(128)
        sim = model(a) @ model(b).t()
    same = la[:, None] == lb[None, :]
    model.train()
    return (sim[same].mean() - sim[~same].mean()).item()


def main():
    torch.set_num_threads(1)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    bank = VoiceBank(cfg)
    model = FrameEncoder(cfg.n_feats, cfg.embed)
    trainer = Trainer(model, build_criterion(cfg), cfg)
    for epoch in range(cfg.epochs):
        stats = trainer.run_epoch(bank)
        print(f"epoch {epoch} loss {stats['loss']:.4f} gap {evaluate(model, bank, cfg):.3f}")


if __name__ == "__main__":
    main()
