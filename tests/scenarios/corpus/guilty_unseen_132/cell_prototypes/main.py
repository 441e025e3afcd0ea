# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
"""Few-shot sorting of cell crops (lab internal)."""
import torch

torch.set_num_threads(1)
from fewshot.trainer import EpisodeTrainer
from fewshot.slides import SlideBank

torch.manual_seed(301)
bank = SlideBank(kinds=10, per_kind=15)
trainer = EpisodeTrainer(bank, ways=4, shots=3, queries=4)
for epoch in range(6):
    print(epoch, trainer.run_epoch(50))
