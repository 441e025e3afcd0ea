import copy

import torch
import torch.nn.functional as F
from torch import nn
from transformers import BertConfig, BertModel, TrainerCallback


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        cfg = BertConfig(vocab_size=52, hidden_size=24, num_hidden_layers=1, num_attention_heads=2,
                         intermediate_size=32, max_position_embeddings=16,
                         hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0)
        self.bert = BertModel(cfg, add_pooling_layer=False)
        self.proj = nn.Linear(24, dim)

    def forward(self, ids):
        h = self.bert(input_ids=ids).last_hidden_state.mean(1)
        return F.normalize(self.proj(h), dim=-1)


class MomentumPair(nn.Module):
    def __init__(self, queue, dim=16, tau=0.2):
        super().__init__()
        self.student = Encoder(dim)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.tau = tau
        self.queue_size = queue
        self.queue = [F.normalize(torch.randn(16, dim), dim=-1) for _ in range(queue // 16)]
        self.losses = []
        self.current = None

    def forward(self, query_ids, key_ids):
        q = self.student(query_ids)
        k = self.teacher(key_ids)
        negatives = torch.cat(self.queue)
        pos = (q * k).sum(-1, keepdim=True)
        logits = torch.cat([pos, q @ negatives.T], dim=1) / self.tau
        target = torch.zeros(len(q), dtype=torch.long)
        return F.cross_entropy(logits, target), k, q

    def enqueue(self, keys):
        self.queue.append(keys)
        while sum(len(x) for x in self.queue) > self.queue_size:
            self.queue.pop(0)

    def note(self, loss, queries):
        self.losses.append(loss.detach())
        self.current = {"loss": loss, "queries": queries}

    def mean_loss(self, last=50):
        return torch.stack(self.losses[-last:]).mean().item()


class MomentumUpdate(TrainerCallback):
    def __init__(self, m):
        self.m = m

    def on_step_end(self, args, state, control, model=None, **kwargs):
        with torch.no_grad():
            for t, s in zip(model.teacher.parameters(), model.student.parameters()):
                t.copy_(self.m * t + (1 - self.m) * s)


class ProgressLine(TrainerCallback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, args, state, control, model=None, **kwargs):
        if state.global_step % self.every == 0:
            spread = model.current["queries"].std(0).mean()
            print(f"{state.global_step:4d} loss {model.mean_loss():.4f} spread {spread.item():.3f}")
