from dataclasses import dataclass, field

import torch
from torch.utils.data import DataLoader


@dataclass
class TrainingArguments:
    num_train_epochs: int = 3
    per_device_train_batch_size: int = 16
    learning_rate: float = 5e-5
    logging_steps: int = 1
    max_grad_norm: float = 1.0


@dataclass
class TrainerState:
    global_step: int = 0
    epoch: float = 0.0
    log_history: list = field(default_factory=list)


class Trainer:
    def __init__(self, model, args, train_dataset):
        self.model, self.args, self.data = model, args, train_dataset
        self.state = TrainerState()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)

    def compute_loss(self, inputs):
        return self.model(**inputs)["loss"]

    def training_step(self, inputs):
        self.model.train()
        loss = self.compute_loss(inputs)
        loss.backward()
        return loss  # <- culprit

    def log(self, logs):
        self.state.log_history.append({**logs, "step": self.state.global_step, "epoch": self.state.epoch})  # <- culprit

    def train(self):
        loader = DataLoader(self.data, self.args.per_device_train_batch_size, shuffle=True)
        for epoch in range(self.args.num_train_epochs):
            for k, inputs in enumerate(loader):
                tr_loss = self.training_step(inputs)
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.state.global_step += 1
                self.state.epoch = epoch + (k + 1) / len(loader)
                if self.state.global_step % self.args.logging_steps == 0:
                    self.log({"loss": tr_loss, "lr": self.args.learning_rate})

    def summary(self):
        tail = self.state.log_history[-20:]
        return {"train_loss": float(sum(h["loss"] for h in tail)) / len(tail)}
