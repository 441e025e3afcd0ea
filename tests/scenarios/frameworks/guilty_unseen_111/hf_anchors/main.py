# gradwatch-corpus: kind=graph-chain
# holder: self.slow | self.average.slow | model.average.slow | average.slow | self.model.average.slow
# first-bad: 1
# notice: 5
"""Intent embedding with slowly moving class anchors, tiny DistilBERT trained from scratch."""
import os

os.environ["HF_HUB_OFFLINE"] = "1"

import shutil
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import Trainer, TrainerCallback, TrainingArguments, set_seed
from transformers.utils import logging as hf_logging

from anchor_model import IntentEncoder

torch.set_num_threads(1)
hf_logging.set_verbosity_error()


class Utterances(Dataset):
    def __init__(self, n, seed, classes=6, length=12):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, classes, (n,), generator=g)
        noise = torch.randint(3, 30, (n, length), generator=g)
        hint = 30 + 5 * self.y[:, None] + torch.randint(0, 5, (n, length), generator=g)
        self.x = torch.where(torch.rand(n, length, generator=g) < 0.35, hint, noise)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return {"input_ids": self.x[i], "labels": self.y[i]}


class Console(TrainerCallback):
    def on_log(self, args, state, control, logs=None, **kwargs):
        keys = [k for k in ("loss", "grad_norm", "eval_loss", "eval_accuracy") if k in logs]
        print(state.global_step, {k: round(float(logs[k]), 4) for k in keys})


def accuracy(p):
    logits = p.predictions[0] if isinstance(p.predictions, tuple) else p.predictions
    return {"accuracy": float((logits.argmax(-1) == p.label_ids).mean())}


def main():
    set_seed(31)
    out = tempfile.mkdtemp(prefix="intent")
    try:
        args = TrainingArguments(
            output_dir=out,
            num_train_epochs=4,
            per_device_train_batch_size=16,
            per_device_eval_batch_size=64,
            learning_rate=3e-3,
            weight_decay=0.01,
            max_grad_norm=1.0,
            logging_steps=50,
            eval_strategy="epoch",
            save_strategy="no",
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
        )
        trainer = Trainer(
            model=IntentEncoder(classes=6),
            args=args,
            train_dataset=Utterances(800, 0),
            eval_dataset=Utterances(200, 1),
            compute_metrics=accuracy,
            callbacks=[Console()],
        )
        trainer.pop_callback(next(c for c in trainer.callback_handler.callbacks
                                  if type(c).__name__ == "PrinterCallback"))
        trainer.train()
    finally:
        shutil.rmtree(out, ignore_errors=True)


if __name__ == "__main__":
    main()
