from dataclasses import dataclass, field

import torch
from torch.utils.data import DataLoader


@dataclass
class TrainingArguments:
    learning_rate: float = 1e-3
    num_train_epochs: int = 3
    per_device_train_batch_size: int = 16
    logging_steps: int = 10
    max_grad_norm: float = 1.0
    seed: int = 42


@dataclass
class TrainerState:
    global_step: int = 0
    epoch: float = 0.0
    should_stop: bool = False
    log_history: list = field(default_factory=list)


class Trainer:
    def __init__(self, model, args, train_dataset, eval_dataset=None, callbacks=()):
        self.model, self.args = model, args
        self.train_dataset, self.eval_dataset = train_dataset, eval_dataset
        self.callbacks = list(callbacks)
        self.state = TrainerState()

    def compute_loss(self, model, inputs):
        return model(**inputs)["loss"]

    def training_step(self, model, inputs):
        model.train()
        loss = self.compute_loss(model, inputs)
        loss.backward()
        return loss  # <- culprit

    def train(self):
        args = self.args
        loader = DataLoader(self.train_dataset, args.per_device_train_batch_size, shuffle=True)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=args.learning_rate)
        return self._inner_training_loop(loader)

    def _inner_training_loop(self, loader):
        args = self.args
        tr_loss = torch.tensor(0.0)
        self._total_loss_scalar = 0.0
        for epoch in range(args.num_train_epochs):
            for inputs in loader:
                tr_loss_step = self.training_step(self.model, inputs)
                tr_loss += tr_loss_step  # <- culprit
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), args.max_grad_norm)
                self.optimizer.step()
                self.model.zero_grad()
                self.state.global_step += 1
                self._maybe_log(tr_loss)
            metrics = self.evaluate()
            for cb in self.callbacks:
                cb.on_epoch_end(args, self.state, metrics)
            if self.state.should_stop:
                break
        self._total_loss_scalar += tr_loss.item()
        return {"train_loss": self._total_loss_scalar / self.state.global_step, "global_step": self.state.global_step}

    def _maybe_log(self, tr_loss):
        if self.state.global_step % self.args.logging_steps == 0:
            tr_loss_scalar = tr_loss.item()
            tr_loss -= tr_loss
            self._total_loss_scalar += tr_loss_scalar
            logs = {"loss": tr_loss_scalar / self.args.logging_steps, "step": float(self.state.global_step)}
            self.state.log_history.append(logs)
            for cb in self.callbacks:
                cb.on_log(self.args, self.state, logs)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        losses = [self.compute_loss(self.model, b).item() for b in DataLoader(self.eval_dataset, 32)]
        return {"eval_loss": sum(losses) / len(losses)}
