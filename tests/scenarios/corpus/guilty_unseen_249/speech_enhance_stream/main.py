# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | carry.hidden | self.carry.hidden | session.carry.hidden | self.session.carry.hidden | engine.session.carry.hidden
# first-bad: 1
"""Streaming speech enhancement on synthetic utterances (bf16 compute, fp32 masters)."""
import torch

from nets import MaskEstimator
from runtime import EnhanceConfig
from runtime import EnhanceEngine
from runtime import StreamSession
from signals import NoisyStream


def build_engine(cfg: EnhanceConfig) -> EnhanceEngine:
    torch.manual_seed(cfg.seed)
    model = MaskEstimator(cfg.bins, cfg.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-4)
    session = StreamSession(NoisyStream(cfg), cfg)
    return EnhanceEngine(model, optimizer, session, cfg)


def main():
    cfg = EnhanceConfig()
    engine = build_engine(cfg)
    summary = engine.run()
    print(f"frames={summary['frames']} si_loss={summary['loss']:.4f}")


if __name__ == "__main__":
    main()
