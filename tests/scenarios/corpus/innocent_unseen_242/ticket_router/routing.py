from dataclasses import dataclass

import torch


@dataclass
class RouterArguments:
    learning_rate: float = 4e-3
    per_device_batch: int = 32
    gradient_accumulation_steps: int = 4
    max_steps: int = 40
    logging_steps: int = 10
    max_grad_norm: float = 1.0
    seed: int = 71


class RouterTrainer:
    def __init__(self, model, args, train_set, eval_set):
        self.model = model
        self.args = args
        self.train_set = train_set
        self.eval_set = eval_set
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=args.learning_rate)
        self.state = {"global_step": 0, "log_history": [], "best_metric": None}
        self.tr_loss = torch.tensor(0.0)

    def batches(self):
        n = len(self.train_set["labels"])
        while True:
            order = torch.randperm(n)
            for i in range(0, n - self.args.per_device_batch + 1, self.args.per_device_batch):
                pick = order[i:i + self.args.per_device_batch]
                yield {k: v[pick] for k, v in self.train_set.items()}

    def training_step(self, inputs):
        self.model.train()
        loss = self.model(**inputs)["loss"] / self.args.gradient_accumulation_steps
        loss.backward()
        return loss.detach()

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            out = self.model(**self.eval_set)
        acc = (out["logits"].argmax(1) == self.eval_set["labels"]).float().mean()
        return {"eval_loss": round(out["loss"].item(), 4), "eval_acc": round(acc.item(), 4)}

    def log(self):
        mean = self.tr_loss.item() / self.args.logging_steps
        self.tr_loss -= self.tr_loss
        entry = {"step": self.state["global_step"], "loss": round(mean, 4)}
        entry.update(self.evaluate())
        best = self.state["best_metric"]
        if best is None or entry["eval_acc"] > best["eval_acc"]:
            self.state["best_metric"] = entry
        self.state["log_history"].append(entry)

    def train(self):
        stream = self.batches()
        self.optimizer.zero_grad()
        while self.state["global_step"] < self.args.max_steps:
            for _ in range(self.args.gradient_accumulation_steps):
                self.tr_loss += self.training_step(next(stream))
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.state["global_step"] += 1
            if self.state["global_step"] % self.args.logging_steps == 0:
                self.log()
        return self.state
