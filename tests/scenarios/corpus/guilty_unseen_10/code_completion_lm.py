# gradwatch-corpus: kind=graph-held
# holder: self._outputs | loop._outputs | self._outputs[-1] | self._outputs[-1]["loss"] | loop._outputs[-1]["loss"] | out | out["loss"] | outputs
# first-bad: 1
"""Next-token model for the IDE's completion popup, on the house loop (module defines the steps, loop drives them).
Trains on a generated toy language with brackets and identifiers."""
import abc
import random
import string

import torch
from torch import nn
from torch.nn import functional as F


class StepModule(nn.Module, abc.ABC):
    @abc.abstractmethod
    def training_step(self, batch, batch_idx): ...

    @abc.abstractmethod
    def configure_optimizers(self): ...

    def training_epoch_end(self, outputs):
        pass

    def validation_step(self, batch):
        return {}


class Loop:
    """Drives a StepModule through its epochs."""

    def __init__(self, max_epochs, steps_per_epoch, val_every=100):
        self.max_epochs = max_epochs
        self.steps_per_epoch = steps_per_epoch
        self.val_every = val_every
        self.global_step = 0
        self._outputs = []

    def _optimize(self, module, optimizer, loss):
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(module.parameters(), 1.0)
        optimizer.step()

    def _validate(self, module, batches):
        module.eval()
        with torch.no_grad():
            res = module.validation_step(next(batches))
        module.train()
        print(f"step {self.global_step}: " + " ".join(f"{k}={v:.3f}" for k, v in res.items()))

    def fit(self, module, train_batches, val_batches):
        optimizer = module.configure_optimizers()
        module.train()
        for _ in range(self.max_epochs):
            for batch_idx in range(self.steps_per_epoch):
                out = module.training_step(next(train_batches), batch_idx)
                self._optimize(module, optimizer, out["loss"])
                self._outputs.append(out)  # <- culprit
                self.global_step += 1
                if self.global_step % self.val_every == 0:
                    self._validate(module, val_batches)
            module.training_epoch_end(self._outputs)
            self._outputs.clear()


CHARS = string.ascii_lowercase[:12] + "()[]{}=., \n"
STOI = {c: i for i, c in enumerate(CHARS)}


def snippet(rng, depth=0):
    ident = "".join(rng.choice(CHARS[:12]) for _ in range(rng.randint(1, 3)))
    if depth > 2 or rng.random() < 0.4:
        return ident
    op, cl = rng.choice(["()", "[]", "{}"])
    return ident + op + ", ".join(snippet(rng, depth + 1) for _ in range(rng.randint(1, 2))) + cl


def batches(seed, batch_size=12, context=32):
    rng = random.Random(seed)
    text = ""
    while True:
        rows = []
        for _ in range(batch_size):
            while len(text) <= context:
                text += snippet(rng) + " = " + snippet(rng) + "\n"
            rows.append([STOI[c] for c in text[: context + 1]])
            text = text[context:]
        yield torch.tensor(rows)


class CompletionLM(StepModule):
    def __init__(self, d=48, heads=4, context=32):
        super().__init__()
        self.tok = nn.Embedding(len(CHARS), d)
        self.pos = nn.Embedding(context, d)
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d))
        self.head = nn.Linear(d, len(CHARS))
        self.heads = heads

    def forward(self, ids):
        b, t = ids.shape
        x = self.tok(ids) + self.pos.weight[:t]
        q, k, v = self.qkv(self.ln1(x)).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(a.transpose(1, 2).reshape(b, t, -1))
        x = x + self.ff(self.ln2(x))
        return self.head(x)

    def training_step(self, batch, batch_idx):
        logits = self(batch[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten())
        top1 = (logits.argmax(-1) == batch[:, 1:]).float().mean()
        return {"loss": loss, "top1": top1}

    def validation_step(self, batch):
        logits = self(batch[:, :-1])
        top3 = logits.topk(3, dim=-1).indices
        return {"val_top3": (top3 == batch[:, 1:, None]).any(-1).float().mean().item()}

    def training_epoch_end(self, outputs):
        loss = sum(o["loss"].item() for o in outputs) / len(outputs)
        top1 = sum(o["top1"].item() for o in outputs) / len(outputs)
        print(f"epoch: loss {loss:.3f}, top-1 {top1:.3f}")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=2e-3, betas=(0.9, 0.95))


if __name__ == "__main__":
    torch.manual_seed(8)
    loop = Loop(max_epochs=1, steps_per_epoch=300)
    loop.fit(CompletionLM(), batches(seed=1), batches(seed=2))
