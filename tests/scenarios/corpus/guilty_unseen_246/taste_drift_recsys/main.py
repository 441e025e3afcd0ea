# gradwatch-corpus: kind=graph-chain
# holder: self.anchors | self.anchors[name] | drift.anchors | self.drift.anchors | trainer.drift.anchors
# first-bad: 1
import torch

from config import RecoConfig
from interactions import interaction_stream
from trainer import RecoTrainer


def main():
    cfg = RecoConfig()
    torch.manual_seed(cfg.seed)
    trainer = RecoTrainer(cfg)
    stream = interaction_stream(cfg)
    for step, batch in zip(range(cfg.steps), stream):
        report = trainer.step(batch)
        if step % 30 == 0:
            print(f"step {step:3d} bpr {report['bpr']:.4f} drift {report['drift']:.6f}")
    print("final", trainer.summary())


if __name__ == "__main__":
    main()
