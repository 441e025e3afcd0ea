# gradwatch-corpus: kind=none
"""GPT-2 style event-log model (tiny, random init) with recent-loss weighting of batches."""
import os

os.environ["HF_HUB_OFFLINE"] = "1"

import tempfile
from collections import deque

import numpy as np
import torch
import torch.nn.functional as F
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments, set_seed
from transformers.utils import logging as hf_logging

torch.set_num_threads(1)
hf_logging.set_verbosity_error()

VOCAB, LEN = 32, 14


class EventLogs(torch.utils.data.Dataset):
    """Cyclic machine states with occasional alarms (token 31)."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        stride = rng.integers(1, 5, size=(n, 1))
        start = rng.integers(0, 24, size=(n, 1))
        seq = (start + stride * np.arange(LEN)) % 24
        seq[rng.random(seq.shape) < 0.04] = 31
        self.data = torch.as_tensor(seq)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return {"input_ids": self.data[i], "labels": self.data[i]}


class RecentTrainer(Trainer):
    """Batches that are harder than the recent median get a larger weight."""

    def __init__(self, *a, window=20, **kw):
        super().__init__(*a, **kw)
        self.recent = deque(maxlen=window)
        self.log_rows = []
        self.last_logits = None

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        out = model(input_ids=inputs["input_ids"])
        logits, target = out.logits[:, :-1], inputs["labels"][:, 1:]
        nll = F.cross_entropy(logits.reshape(-1, VOCAB), target.reshape(-1))
        loss = nll
        if model.training:
            if len(self.recent) > 5:
                level = torch.stack([r.detach() for r in self.recent]).median()
                loss = nll * (nll.detach() / level).clamp(0.5, 2.0)
            self.recent.append(nll)
            self.last_logits = logits
            loss = loss / self.args.gradient_accumulation_steps
            self.log_rows.append((self.state.global_step, nll.item()))
        return (loss, out) if return_outputs else loss


class Printer(TrainerCallback):
    def __init__(self):
        self.trainer = None

    def on_step_end(self, args, state, control, **kw):
        if state.global_step % 60 == 0:
            r = torch.stack(list(self.trainer.recent))
            ent = torch.distributions.Categorical(logits=self.trainer.last_logits).entropy().mean()
            print(f"step {state.global_step} recent {r.mean().item():.4f} entropy {ent.item():.3f}")


def metrics(p):
    logits = p.predictions[0] if isinstance(p.predictions, tuple) else p.predictions
    pred = logits[:, :-1].argmax(-1)
    return {"next_acc": float((pred == p.label_ids[:, 1:]).mean())}


def main():
    set_seed(8)
    model = GPT2LMHeadModel(GPT2Config(
        vocab_size=VOCAB, n_positions=16, n_embd=16, n_layer=1, n_head=2, use_cache=False,
        bos_token_id=0, eos_token_id=0, attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0,
    ))
    printer = Printer()
    with tempfile.TemporaryDirectory() as tmp:
        args = TrainingArguments(
            output_dir=tmp, max_steps=300, per_device_train_batch_size=8, gradient_accumulation_steps=2,
            learning_rate=5e-3, logging_strategy="no", save_strategy="no", eval_strategy="no",
            report_to="none", disable_tqdm=True, use_cpu=True, dataloader_pin_memory=False,
        )
        trainer = RecentTrainer(
            model=model, args=args, train_dataset=EventLogs(1200, 0), eval_dataset=EventLogs(120, 1),
            compute_metrics=metrics, callbacks=[printer], window=20,
        )
        printer.trainer = trainer
        trainer.train()
        print(trainer.evaluate().get("eval_next_acc"), len(trainer.log_rows))


if __name__ == "__main__":
    main()
