# gradwatch-corpus: kind=none
"""Self-supervised command encoder: momentum teacher, feature queue and HF Trainer."""
import os

os.environ["HF_HUB_OFFLINE"] = "1"

import shutil
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainingArguments, set_seed
from transformers.utils import logging as hf_logging

from moco import MomentumPair, MomentumUpdate, ProgressLine

torch.set_num_threads(1)
hf_logging.set_verbosity_error()


class Commands(Dataset):
    """Two noisy views of the same token sequence."""

    def __init__(self, n, length=12, vocab=50, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        topic = torch.randint(0, 8, (n, 1), generator=self.g)
        self.base = 2 + topic * 6 + torch.randint(0, 6, (n, length), generator=self.g)
        self.vocab = vocab

    def __len__(self):
        return len(self.base)

    def view(self, seq):
        drop = torch.rand(seq.shape, generator=self.g) < 0.2
        return seq.masked_fill(drop, 1)

    def __getitem__(self, i):
        return {"query_ids": self.view(self.base[i]), "key_ids": self.view(self.base[i])}


class ContrastiveTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        loss, keys, queries = model(**inputs)
        model.enqueue(keys)
        model.note(loss, queries)
        return (loss, queries) if return_outputs else loss


def main():
    set_seed(19)
    out = tempfile.mkdtemp()
    try:
        args = TrainingArguments(
            output_dir=out, max_steps=300, per_device_train_batch_size=16, learning_rate=2e-3,
            lr_scheduler_type="cosine", logging_strategy="no", save_strategy="no",
            report_to="none", disable_tqdm=True, use_cpu=True, remove_unused_columns=False,
        )
        model = MomentumPair(queue=256)
        trainer = ContrastiveTrainer(
            model=model, args=args, train_dataset=Commands(1024),
            callbacks=[MomentumUpdate(0.98), ProgressLine(75)],
        )
        trainer.train()
        print("recent", round(model.mean_loss(), 4))
    finally:
        shutil.rmtree(out, ignore_errors=True)


if __name__ == "__main__":
    main()
