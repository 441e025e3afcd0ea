# gradwatch-corpus: kind=none
"""Streaming noise suppression for a hearing aid, trained on long simulated recordings."""
import torch

from enhancer import StreamingEnhancer
from loop import ChunkTrainer
from signals import Recording


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    net = StreamingEnhancer(bands=10, width=20)
    trainer = ChunkTrainer(net, segments=4)
    rec = Recording(voices=6, bands=10, seed=77)
    for chunk in range(170):
        loss = trainer.chunk(rec)
        if chunk % 34 == 0:
            print(f"chunk {chunk:3d} loss {loss:.4f} level {net.level_db():.2f} dB")
        if chunk % 60 == 59:
            rec.restart()
            net.reset()
    print("held-out", round(trainer.evaluate(Recording(6, 10, seed=5), 10), 4))


if __name__ == "__main__":
    main()
