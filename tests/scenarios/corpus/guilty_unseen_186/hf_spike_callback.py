# gradwatch-corpus: kind=graph-held
# holder: self.window | spike.window
# first-bad: 1
"""Fine-tune a small text classifier with a Trainer-like loop and callbacks."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainingArguments:
    max_steps: int = 500
    batch_size: int = 16
    learning_rate: float = 3e-3
    logging_steps: int = 50
    spike_factor: float = 3.0
    seed: int = 11


@dataclass
class TrainerState:
    global_step: int = 0
    epoch: float = 0.0
    last_output: dict = field(default_factory=dict)
    log_history: list = field(default_factory=list)


class TrainerCallback:
    def on_step_end(self, args, state, **kwargs):
        pass

    def on_log(self, args, state, logs, **kwargs):
        pass


class PrinterCallback(TrainerCallback):
    def on_log(self, args, state, logs, **kwargs):
        print({k: round(v, 4) for k, v in logs.items()}, flush=True)


class LossSpikeCallback(TrainerCallback):
    """Warns when the loss jumps well above its running median."""

    def __init__(self, min_samples=20):
        self.window = []
        self.min_samples = min_samples
        self.spikes = 0

    def _median(self):
        values = sorted(float(v) for v in self.window[-self.min_samples:])
        return values[len(values) // 2]

    def on_step_end(self, args, state, **kwargs):
        value = state.last_output["loss"]
        if len(self.window) >= self.min_samples:
            if float(value) > args.spike_factor * self._median():
                self.spikes += 1
        self.window.append(value)  # <- culprit


class BagOfTokens(nn.Module):
    def __init__(self, vocab=300, dim=32, classes=4):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, classes))

    def forward(self, input_ids, labels=None):
        logits = self.mlp(self.emb(input_ids))
        return {"loss": F.cross_entropy(logits, labels), "logits": logits}


class Trainer:
    def __init__(self, model, args, dataset, callbacks):
        self.model, self.args, self.callbacks = model, args, callbacks
        self.loader = DataLoader(dataset, batch_size=args.batch_size, shuffle=True, num_workers=0)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
        self.state = TrainerState()

    def call_event(self, event, **kwargs):
        for cb in self.callbacks:
            getattr(cb, event)(self.args, self.state, **kwargs)

    def training_step(self, batch):
        ids, labels = batch
        self.model.train()
        out = self.model(ids, labels=labels)
        self.optimizer.zero_grad(set_to_none=True)
        out["loss"].backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return out

    def train(self):
        while self.state.global_step < self.args.max_steps:
            for batch in self.loader:
                self.state.last_output = self.training_step(batch)
                self.state.global_step += 1
                self.call_event("on_step_end")
                if self.state.global_step % self.args.logging_steps == 0:
                    logs = {"loss": self.state.last_output["loss"].item(), "step": self.state.global_step}
                    self.state.log_history.append(logs)
                    self.call_event("on_log", logs=logs)
                if self.state.global_step >= self.args.max_steps:
                    break
            self.state.epoch += 1


def main():
    args = TrainingArguments()
    torch.manual_seed(args.seed)
    ids = torch.randint(0, 300, (640, 12))
    labels = (ids.float().mean(1) // 75).long().clamp(0, 3)
    spike = LossSpikeCallback()
    trainer = Trainer(BagOfTokens(), args, TensorDataset(ids, labels), [spike, PrinterCallback()])
    trainer.train()
    print("spikes:", spike.spikes)


if __name__ == "__main__":
    main()
