from dataclasses import dataclass

import torch

from meters import TrainerState


@dataclass
class TrainArgs:
    max_steps: int
    logging_steps: int
    lr: float = 1e-2
    warmup: int = 10
    seed: int = 1234


class SFTTrainer:
    def __init__(self, model, args, loader):
        self.model, self.args, self.loader = model, args, loader
        self.state = TrainerState()
        self.opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=args.lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.opt, lambda s: min(1.0, (s + 1) / args.warmup))

    def training_step(self, batch):
        loss = self.model(**batch)
        loss.backward()
        return loss

    def log(self):
        entry = {"step": self.state.global_step, "loss": round(float(self.state.smoothed.get()), 4),
                 "lr": self.sched.get_last_lr()[0]}
        self.state.log_history.append(entry)
        print(entry)

    def train(self):
        for batch in self.loader:
            loss = self.training_step(batch)
            self.opt.step()
            self.sched.step()
            self.opt.zero_grad()
            self.state.global_step += 1
            self.state.smoothed.update(loss)  # <- culprit
            if self.state.global_step % self.args.logging_steps == 0:
                self.log()
            if self.state.global_step >= self.args.max_steps:
                break
