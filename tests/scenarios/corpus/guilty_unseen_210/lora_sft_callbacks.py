# gradwatch-corpus: kind=graph-held
# holder: self.state.log_history | trainer.state.log_history | args_state.log_history | state.log_history
# first-bad: 1
"""Mini SFT trainer: frozen toy decoder with LoRA adapters and HF-like callbacks."""
import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r: int = 4, alpha: int = 8):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.lora_A = nn.Parameter(torch.randn(r, base.in_features) / math.sqrt(base.in_features))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scaling = alpha / r

    def forward(self, x):
        return self.base(x) + (x @ self.lora_A.T @ self.lora_B.T) * self.scaling


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.q_proj, self.k_proj = nn.Linear(d, d), nn.Linear(d, d)
        self.v_proj, self.o_proj = nn.Linear(d, d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.SiLU(), nn.Linear(4 * d, d))

    def forward(self, x):
        B, T, D = x.shape
        y = self.ln1(x)
        q, k, v = (p(y).view(B, T, self.h, -1).transpose(1, 2) for p in (self.q_proj, self.k_proj, self.v_proj))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o_proj(a.transpose(1, 2).reshape(B, T, D))
        return x + self.mlp(self.ln2(x))


class TinyLM(nn.Module):
    def __init__(self, vocab=96, d=48, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, d)
        self.blocks = nn.ModuleList(Block(d, 4) for _ in range(layers))
        self.head = nn.Linear(d, vocab, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for b in self.blocks:
            x = b(x)
        return self.head(x)


def inject_lora(model, targets=("q_proj", "v_proj")):
    model.requires_grad_(False)
    for blk in model.blocks:
        for t in targets:
            setattr(blk, t, LoRALinear(getattr(blk, t)))
    return model


@dataclass
class TrainerState:
    global_step: int = 0
    max_steps: int = 100
    log_history: list = field(default_factory=list)


class Callback:
    def on_step_end(self, state, logs):
        pass

    def on_train_end(self, state):
        pass


class ProgressCallback(Callback):
    def on_step_end(self, state, logs):
        if state.global_step % 25 == 0:
            print(f"step {state.global_step}/{state.max_steps} loss={logs['loss']:.4f} lr={logs['lr']:.2e}")


class HistoryCallback(Callback):
    def on_step_end(self, state, logs):
        entry = dict(logs)
        entry["step"] = state.global_step
        state.log_history.append(entry)  # <- culprit

    def on_train_end(self, state):
        tail = state.log_history[-10:]
        print("mean of last losses: %.4f" % (sum(float(e["loss"]) for e in tail) / len(tail)))


class SFTTrainer:
    def __init__(self, model, callbacks, max_steps=100):
        self.model = model
        self.callbacks = callbacks
        self.state = TrainerState(max_steps=max_steps)
        self.optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=2e-3)
        self.sched = torch.optim.lr_scheduler.LambdaLR(self.optimizer, lambda s: min(1.0, (s + 1) / 10))

    def compute_loss(self, batch):
        logits = self.model(batch["input_ids"][:, :-1])
        labels = batch["labels"][:, 1:]
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
        with torch.no_grad():
            mask = labels != -100
            acc = (logits.argmax(-1)[mask] == labels[mask]).float().mean().item()
        return loss, {"loss": loss, "token_acc": acc}  # <- culprit

    def training_step(self, batch):
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        loss, logs = self.compute_loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.sched.step()
        logs["lr"] = self.sched.get_last_lr()[0]
        return logs

    def train(self, loader):
        for batch in loader:
            logs = self.training_step(batch)
            self.state.global_step += 1
            for cb in self.callbacks:
                cb.on_step_end(self.state, logs)
            if self.state.global_step >= self.state.max_steps:
                break
        for cb in self.callbacks:
            cb.on_train_end(self.state)


def instruction_stream(gen, bs=8, T=20):
    while True:
        start = torch.randint(0, 96, (bs, 1), generator=gen)
        ids = (start + torch.arange(T) * 3) % 96
        labels = ids.clone()
        labels[:, :6] = -100
        yield {"input_ids": ids, "labels": labels}


if __name__ == "__main__":
    torch.manual_seed(42)
    trainer = SFTTrainer(inject_lora(TinyLM()), [ProgressCallback(), HistoryCallback()])
    trainer.train(instruction_stream(torch.Generator().manual_seed(0)))
