import torch
from torch import nn


class TaggerModule(nn.Module):
    def __init__(self, vocab, tags, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 32, 3, padding=1)
        self.out = nn.Linear(32, tags)

    def forward(self, tok):
        h = torch.relu(self.conv(self.emb(tok).transpose(1, 2))).transpose(1, 2)
        return self.out(h)

    def training_step(self, batch):
        tok, tag = batch
        logits = self(tok)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), tag.flatten())
        acc = (logits.argmax(-1) == tag).float().mean()
        return {"loss": loss, "acc": acc, "confidence": logits.softmax(-1).amax(-1).mean()}


class Runner:
    def __init__(self, module, hooks, lr):
        self.module, self.hooks = module, hooks
        self.base_lr = lr
        self.opt = torch.optim.Adam(module.parameters(), lr=lr)
        self.epoch = self.global_step = 0

    def call(self, event, *args):
        for hook in self.hooks:
            method = getattr(hook, event, None)
            if method is not None:
                method(self, *args)

    def fit(self, loader, epochs):
        for self.epoch in range(epochs):
            for batch in loader():
                self.call("before_batch")
                out = self.module.training_step(batch)
                self.opt.zero_grad()
                out["loss"].backward()
                self.opt.step()
                self.call("after_batch", out)
                self.global_step += 1
            self.call("after_epoch")
