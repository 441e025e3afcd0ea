# gradwatch-corpus: kind=graph-chain
# holder: ctx | memory | self.memory | trainer.memory | trainer.memory.cell | self.memory.cell
# first-bad: 1
"""Character model on a synthetic grammar, truncated windows with state carried across them."""
import torch

from .text import windows
from .trainer import WindowTrainer

if __name__ == "__main__":
    torch.manual_seed(12)
    trainer = WindowTrainer(vocab=14, lr=0.15)
    for epoch in range(3):
        ppl = trainer.epoch(windows(epoch, count=50, length=3, lanes=4))
        print(f"epoch {epoch}: perplexity {ppl:.2f}")
