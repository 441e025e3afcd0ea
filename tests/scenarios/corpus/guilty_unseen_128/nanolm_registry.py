# gradwatch-corpus: kind=crashed
# line: nanolm_registry.py:53: return logits.new_tensor(nats.item() / math.log(2))
# first-bad: 80
# notice: 0
import math

import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

REGISTRY = {"model": {}, "objective": {}}


def register(kind, name):
    def add(obj):
        REGISTRY[kind][name] = obj
        return obj
    return add


CFG = {
    "model": dict(name="causal_conv", vocab=24, width=32, depth=3),
    "objective": [(0, "nll"), (80, "bits_per_token"), (220, "nll")],
    "steps": 400,
    "lr": 1e-3,
}


@register("model", "causal_conv")
class CausalConvLM(nn.Module):
    def __init__(self, vocab, width, depth):
        super().__init__()
        self.tok = nn.Embedding(vocab, width)
        self.blocks = nn.ModuleList(nn.Conv1d(width, 2 * width, 3, dilation=2 ** i) for i in range(depth))
        self.head = nn.Linear(width, vocab)

    def forward(self, ids):
        h = self.tok(ids).transpose(1, 2)
        for i, conv in enumerate(self.blocks):
            h = h + F.glu(conv(F.pad(h, (2 * 2 ** i, 0))), dim=1)
        return self.head(h.transpose(1, 2))


@register("objective", "nll")
def nll(logits, ids):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


@register("objective", "bits_per_token")
def bits_per_token(logits, ids):
    nats = nll(logits, ids)
    return logits.new_tensor(nats.item() / math.log(2))  # <- culprit


def objective_at(step):
    chosen = None
    for start, name in CFG["objective"]:
        if step >= start:
            chosen = REGISTRY["objective"][name]
    return chosen


def text(bs=12, n=20):
    start = torch.randint(0, 24, (bs, 1))
    stride = torch.randint(1, 4, (bs, 1))
    return (start + stride * torch.arange(n)) % 24


def main():
    torch.manual_seed(1337)
    spec = dict(CFG["model"])
    model = REGISTRY["model"][spec.pop("name")](**spec)
    opt = torch.optim.AdamW(model.parameters(), lr=CFG["lr"])
    for step in range(CFG["steps"]):
        ids = text()
        loss = objective_at(step)(model(ids), ids)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 50 == 0:
            print(f"step {step}: {loss.item():.4f}")


main()
