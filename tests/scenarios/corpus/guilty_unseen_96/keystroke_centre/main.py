# gradwatch-corpus: kind=graph-chain
# holder: centre | self.tracker | trainer.tracker | self.tracker.gi_frame.f_locals["centre"]
# first-bad: 1
# notice: 5
"""One-class model of a typist's keystroke rhythm (dwell and flight times)."""
import torch

from rhythm import TypistStream
from trainer import OneClassTrainer, Settings


def main():
    torch.set_num_threads(1)
    torch.manual_seed(41)
    cfg = Settings(steps=220, latent=10)
    stream = TypistStream(keys=12, batch=24, seed=7)
    trainer = OneClassTrainer(cfg, stream.width)
    trainer.fit(stream)
    owner, other = stream.owner(200), stream.impostor(200)
    print(f"median score owner {trainer.score(owner).median():.4f} impostor {trainer.score(other).median():.4f}")


if __name__ == "__main__":
    main()
