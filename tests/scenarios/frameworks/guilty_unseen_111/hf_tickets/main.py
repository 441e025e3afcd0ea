# gradwatch-corpus: kind=graph-held
# holder: self.terms | self.terms[name] | self.tracker.terms | tracker.terms | trainer.tracker.terms | self.tracker
# first-bad: 1
# notice: 8
import os

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import tempfile

import numpy as np
import torch
from transformers import BertConfig, BertForSequenceClassification, TrainingArguments, set_seed
from transformers.trainer_callback import PrinterCallback

from tickets import TicketDataset
from training import ReportTerms, SmoothedFocalTrainer, TermTracker

torch.set_num_threads(1)


def compute_metrics(eval_pred):
    logits, labels = eval_pred
    pred = np.argmax(logits, axis=-1)
    return {"accuracy": float((pred == labels).mean())}


def main():
    set_seed(5)
    train, dev = TicketDataset(768, seed=1), TicketDataset(160, seed=2)
    config = BertConfig(
        vocab_size=80, hidden_size=24, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=20, num_labels=4,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )
    model = BertForSequenceClassification(config)
    tracker = TermTracker()
    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out, max_steps=210, per_device_train_batch_size=16,
            per_device_eval_batch_size=32, learning_rate=2e-3, lr_scheduler_type="linear",
            warmup_steps=10, logging_steps=35, eval_strategy="steps", eval_steps=70,
            save_strategy="no", report_to="none", disable_tqdm=True, use_cpu=True,
        )
        trainer = SmoothedFocalTrainer(
            model=model, args=args, train_dataset=train, eval_dataset=dev,
            compute_metrics=compute_metrics, callbacks=[ReportTerms(tracker)],
            tracker=tracker, gamma=1.5, smoothing=0.1,
        )
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        print("dev", {k: round(v, 3) for k, v in trainer.evaluate().items() if "acc" in k or "loss" in k})


if __name__ == "__main__":
    main()
