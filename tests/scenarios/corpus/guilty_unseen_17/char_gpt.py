# gradwatch-corpus: kind=graph-held
# holder: self.value | smoother.value | SmoothedLoss.value | trainer.callbacks["on_batch_end"][0].value
# first-bad: 1
"""
A tiny character-level GPT in the spirit of the "one file, no dependencies" school.
Trains on a synthetic arithmetic text ("12+7=19;") and prints the loss now and then.
"""
import math
import random
import time
from collections import defaultdict

import torch
import torch.nn as nn
from torch.nn import functional as F


class CfgNode:
    """ a lightweight configuration class """

    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def merge(self, **kwargs):
        self.__dict__.update(kwargs)
        return self


class CausalSelfAttention(nn.Module):

    def __init__(self, config):
        super().__init__()
        assert config.n_embd % config.n_head == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        mask = torch.tril(torch.ones(config.block_size, config.block_size))
        self.register_buffer("bias", mask.view(1, 1, config.block_size, config.block_size))
        self.n_head = config.n_head

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (t.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
                   for t in self.c_attn(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.c_proj(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):

    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.n_embd)
        self.attn = CausalSelfAttention(config)
        self.ln_2 = nn.LayerNorm(config.n_embd)
        self.mlp = nn.Sequential(nn.Linear(config.n_embd, 4 * config.n_embd), nn.GELU(),
                                 nn.Linear(4 * config.n_embd, config.n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):

    def __init__(self, config):
        super().__init__()
        self.block_size = config.block_size
        self.wte = nn.Embedding(config.vocab_size, config.n_embd)
        self.wpe = nn.Embedding(config.block_size, config.n_embd)
        self.h = nn.ModuleList([Block(config) for _ in range(config.n_layer)])
        self.ln_f = nn.LayerNorm(config.n_embd)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)

    def forward(self, idx, targets=None):
        pos = torch.arange(idx.size(1)).unsqueeze(0)
        x = self.wte(idx) + self.wpe(pos)
        for block in self.h:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss

    @torch.no_grad()
    def generate(self, idx, n):
        for _ in range(n):
            logits, _ = self(idx[:, -self.block_size:])
            idx = torch.cat((idx, logits[:, -1].argmax(-1, keepdim=True)), dim=1)
        return idx


class AdditionText:

    def __init__(self, n_chars, block_size, seed):
        rng = random.Random(seed)
        text = ""
        while len(text) < n_chars:
            a, b = rng.randrange(30), rng.randrange(30)
            text += f"{a}+{b}={a + b};"
        self.chars = sorted(set(text))
        stoi = {c: i for i, c in enumerate(self.chars)}
        self.data = torch.tensor([stoi[c] for c in text])
        self.block_size = block_size

    def batch(self, n):
        ix = torch.randint(len(self.data) - self.block_size - 1, (n,))
        x = torch.stack([self.data[i:i + self.block_size] for i in ix])
        y = torch.stack([self.data[i + 1:i + 1 + self.block_size] for i in ix])
        return x, y


class Trainer:

    def __init__(self, config, model, dataset):
        self.config, self.model, self.dataset = config, model, dataset
        self.callbacks = defaultdict(list)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.learning_rate, betas=(0.9, 0.95))
        self.iter_num, self.iter_time, self.iter_dt = 0, 0.0, 0.0

    def add_callback(self, onevent, callback):
        self.callbacks[onevent].append(callback)

    def trigger_callbacks(self, onevent):
        for callback in self.callbacks[onevent]:
            callback(self)

    def run(self):
        self.model.train()
        self.iter_time = time.time()
        while self.iter_num < self.config.max_iters:
            x, y = self.dataset.batch(self.config.batch_size)
            _, self.loss = self.model(x, y)
            self.model.zero_grad(set_to_none=True)
            self.loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.grad_norm_clip)
            self.optimizer.step()
            self.trigger_callbacks("on_batch_end")
            tnow = time.time()
            self.iter_dt, self.iter_time = tnow - self.iter_time, tnow
            self.iter_num += 1


class SmoothedLoss:
    """ exponentially smoothed training loss, nicer to look at than the raw one """

    def __init__(self, beta=0.97):
        self.beta = beta
        self.value = None

    def __call__(self, trainer):
        if self.value is None:
            self.value = trainer.loss  # <- culprit
        else:
            self.value = self.beta * self.value + (1 - self.beta) * trainer.loss  # <- culprit


if __name__ == "__main__":
    torch.manual_seed(3407)
    config = CfgNode(n_layer=2, n_head=2, n_embd=32, block_size=24)
    config.merge(batch_size=8, max_iters=400, learning_rate=1e-3, grad_norm_clip=1.0)
    dataset = AdditionText(20000, config.block_size, seed=1)
    model = GPT(config.merge(vocab_size=len(dataset.chars)))
    trainer = Trainer(config, model, dataset)
    smoother = SmoothedLoss()

    def batch_end_callback(trainer):
        if trainer.iter_num % 100 == 0:
            print(f"iter_dt {trainer.iter_dt * 1000:.2f}ms; iter {trainer.iter_num}: "
                  f"train loss {trainer.loss.item():.4f} (smoothed {smoother.value.item():.4f})")

    trainer.add_callback("on_batch_end", smoother)
    trainer.add_callback("on_batch_end", batch_end_callback)
    trainer.run()
    model.eval()
    out = model.generate(dataset.data[:8].unsqueeze(0), 16)[0]
    print("".join(dataset.chars[i] for i in out))
