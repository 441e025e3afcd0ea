# gradwatch-corpus: kind=second-backward
# holder: self.text_features | model.text_features | model.__dict__["text_features"] | trainer.model.text_features
# first-bad: 1
# notice: 0
"""Prompt tuning of a two-tower model: the context vectors are learned, both encoders frozen."""
from functools import cached_property

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(90)
CLASSES, TOK, DIM = 7, 12, 20


class FrozenText(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(TOK, 2, 24, dropout=0.0, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.proj = nn.Linear(TOK, DIM)
        self.requires_grad_(False)

    def forward(self, prompts):
        return self.proj(self.enc(prompts)[:, -1])


class FrozenImage(nn.Module):
    def __init__(self, text):
        super().__init__()
        self.mix = nn.Linear(DIM, DIM)
        self.requires_grad_(False)

    @torch.no_grad()
    def forward(self, x):
        return F.normalize(self.mix(x), dim=-1)


class PromptLearner(nn.Module):
    def __init__(self, n_ctx=4):
        super().__init__()
        self.text = FrozenText()
        self.image = FrozenImage(self.text)
        self.ctx = nn.Parameter(0.02 * torch.randn(n_ctx, TOK))
        self.register_buffer("names", torch.randn(CLASSES, 1, TOK))
        self.scale = nn.Parameter(torch.tensor(2.0))

    @cached_property  # <- culprit
    def text_features(self):
        prompts = torch.cat([self.ctx.expand(CLASSES, -1, -1), self.names], 1)
        return F.normalize(self.text(prompts), dim=-1)  # <- culprit

    def forward(self, x):
        return self.scale.exp() * self.image(x) @ self.text_features.T  # <- culprit


def shots(n_per_class=16):
    centres = torch.randn(CLASSES, DIM)
    y = torch.arange(CLASSES).repeat_interleave(n_per_class)
    return centres[y] + 0.4 * torch.randn(len(y), DIM), y


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.02, momentum=0.9)

    def run_epoch(self, x, y, batch=16):
        losses = []
        for idx in torch.randperm(len(y)).split(batch):
            loss = F.cross_entropy(self.model(x[idx]), y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)


x, y = shots()
trainer = Trainer(PromptLearner())
for epoch in range(12):
    print(f"epoch {epoch} loss {trainer.run_epoch(x, y):.4f}")
