# gradwatch-corpus: kind=graph-held
# holder: self._journal | bus._journal | self.bus._journal | trainer.bus._journal | bus
# first-bad: 1
"""Supervised fine-tuning of a tiny causal LM with LoRA on the projections."""
import torch
import torch.nn.functional as F

from bus import EventBus, StepEnd, RunEnd
from model import TinyLM, lora_parameters


class LossPrinter:
    def __init__(self, every=30):
        self.every = every

    def on_step_end(self, ev):
        if ev.step % self.every == 0:
            print(f"step {ev.step} loss {float(ev.loss):.4f} lr {ev.lr:.2e}")


class LateSummary:
    """Attached when the run is over; the bus plays the past to it."""

    def __init__(self):
        self.best = float("inf")

    def on_step_end(self, ev):
        self.best = min(self.best, float(ev.loss))

    def on_run_end(self, ev):
        print("best training loss", round(self.best, 4), "in", ev.steps, "steps")


def instructions(n, length, vocab):
    start = torch.randint(0, vocab, (n, 1))
    stride = torch.randint(1, 4, (n, 1))
    return (start + stride * torch.arange(length)) % vocab


class SFTTrainer:
    def __init__(self, model, bus, steps=120, lr=5e-3):
        self.model, self.bus, self.steps = model, bus, steps
        self.opt = torch.optim.AdamW(lora_parameters(model), lr=lr)
        self.sched = torch.optim.lr_scheduler.LambdaLR(
            self.opt, lambda s: min(1.0, (s + 1) / 10) * (1 - s / (steps + 1)))

    def train(self):
        for step in range(self.steps):
            ids = instructions(16, 12, self.model.vocab)
            logits = self.model(ids[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.sched.step()
            self.bus.publish(StepEnd(step, loss, self.sched.get_last_lr()[0]))  # <- culprit
        self.bus.publish(RunEnd(self.steps))


if __name__ == "__main__":
    torch.manual_seed(33)
    torch.set_num_threads(1)
    bus = EventBus()
    bus.attach(LossPrinter())
    SFTTrainer(TinyLM(vocab=20), bus).train()
    bus.attach(LateSummary())
