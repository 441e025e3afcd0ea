# gradwatch-corpus: kind=graph-held
# holder: RelativeBias.table | self.bias.table | self.table | bias.table
# first-bad: 1
# notice: 8
"""Anomaly tagging of syslog windows with a tiny relative-position attention model."""
import torch

from data import log_batches
from layers import LogTagger
from trainer import TaggerTrainer, TrainerConfig


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(8)
    model = LogTagger(vocab=40, dim=16, heads=2, max_distance=8)
    trainer = TaggerTrainer(model, TrainerConfig(steps=240, lr=2e-3, eval_every=60))
    trainer.fit(log_batches(vocab=40, batch=8, length=12))


if __name__ == "__main__":
    main()
