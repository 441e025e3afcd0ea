# gradwatch-corpus: kind=none
"""Streaming contrastive learning of seismic traces: key queue, recurrent context, accumulation."""
import torch

from encoder import ContextEncoder
from queueing import KeyQueue
from trainer import Accumulate, StreamingTrainer
from traces import Traces


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(23)
    encoder = ContextEncoder(samples=16, dim=12)
    trainer = StreamingTrainer(encoder, KeyQueue(size=48, dim=12), Accumulate(every=2), queue_from=100)
    trainer.run(Traces(batch=8, samples=16), updates=320)
    print(f"kept {len(trainer.replay)} embeddings, final {trainer.curve[-1]:.4f}")


if __name__ == "__main__":
    main()
