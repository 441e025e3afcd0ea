from collections import defaultdict
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from transformers import Trainer, TrainerCallback


@dataclass
class TermTracker:
    """Named parts of the objective, for the report at each logging step."""

    terms: dict = field(default_factory=lambda: defaultdict(list))
    shown: int = 0

    def add(self, **values):
        for name, value in values.items():
            self.terms[name].append(value)  # <- culprit

    def summary(self):
        lines = {}
        with torch.no_grad():
            for name, vals in self.terms.items():
                lines[name] = round(torch.stack(vals[self.shown:]).mean().item(), 4)
                total = len(vals)
        self.shown = total
        return lines


class ReportTerms(TrainerCallback):
    def __init__(self, tracker):
        self.tracker = tracker

    def on_log(self, args, state, control, logs=None, **kwargs):
        if state.global_step and "loss" in (logs or {}):
            print(state.global_step, "loss", logs["loss"], self.tracker.summary())


class SmoothedFocalTrainer(Trainer):
    def __init__(self, *args, tracker, gamma, smoothing, **kwargs):
        super().__init__(*args, **kwargs)
        self.tracker = tracker
        self.gamma = gamma
        self.smoothing = smoothing

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        logp = F.log_softmax(outputs.logits, dim=-1)
        nll = -logp.gather(1, labels[:, None]).squeeze(1)
        focal = ((1 - (-nll).exp()) ** self.gamma * nll).mean()
        uniform = -logp.mean(dim=-1).mean()
        loss = (1 - self.smoothing) * focal + self.smoothing * uniform
        if model.training:
            self.tracker.add(focal=focal, uniform=uniform)  # <- culprit
        return (loss, {"logits": outputs.logits}) if return_outputs else loss
