"""Hugging Face's Trainer on a model made from a config; half way through it starts to leak."""

import sys
import tempfile

import torch
from torch.utils.data import Dataset
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

import gradwatch_agent.auto  # noqa: F401

healthy, leaking = map(int, sys.argv[1:])


class Tokens(Dataset):
    def __len__(self) -> int:
        return 32

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        tokens = torch.arange(index, index + 6) % 16
        return {"input_ids": tokens, "labels": tokens}


class Leaking(Trainer):
    def __init__(self, **options) -> None:
        super().__init__(**options)
        self.kept = []

    def compute_loss(self, model, inputs, *args, **kwargs):
        loss = super().compute_loss(model, inputs, *args, **kwargs)
        if self.state.global_step >= healthy:
            self.kept.append(loss)  # the leak
        return loss


config = GPT2Config(vocab_size=16, n_positions=8, n_embd=8, n_layer=1, n_head=2)
with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        use_cpu=True,
        max_steps=healthy + leaking,
        per_device_train_batch_size=2,
        gradient_accumulation_steps=2,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
    )
    trainer = Leaking(model=GPT2LMHeadModel(config), args=arguments, train_dataset=Tokens())
    trainer.train()
