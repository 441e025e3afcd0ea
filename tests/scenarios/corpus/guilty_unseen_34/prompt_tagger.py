# gradwatch-corpus: kind=graph-chain
# holder: self.carry | tagger.carry | model.carry | state
# first-bad: 1
"""Soft-prompt tuning of a frozen GRU tagger that reads a document window by window."""
import torch
from torch import nn
from torch.nn import functional as F

cfg = dict(vocab=120, tags=5, emb=24, hid=32, window=7, batch=8, steps=66, lr=3e-2)


def synth_corpus(n_tokens):
    g = torch.Generator().manual_seed(3)
    tokens = torch.randint(0, cfg["vocab"], (cfg["batch"], n_tokens), generator=g)
    tags = (tokens + torch.roll(tokens, 1, dims=1)) % cfg["tags"]
    return tokens, tags


def windows(tokens, tags, w):
    n = tokens.size(1) // w
    for j in range(n):
        yield tokens[:, j * w:(j + 1) * w], tags[:, j * w:(j + 1) * w]


class Backbone(nn.Module):
    """Stands in for the checkpoint that we downloaded."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(cfg["vocab"], cfg["emb"])
        self.cell = nn.GRUCell(cfg["emb"], cfg["hid"])
        self.head = nn.Linear(cfg["hid"], cfg["tags"])


class PromptTagger(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        for p in self.backbone.parameters():
            p.requires_grad_(False)
        self.prompt = nn.Parameter(torch.zeros(cfg["window"], cfg["emb"]))
        self.tag_bias = nn.Parameter(torch.zeros(cfg["tags"]))
        self.carry = None

    def start_document(self, batch_size):
        self.carry = torch.zeros(batch_size, cfg["hid"])

    def read(self, x, state):
        outs = []
        for t in range(x.size(1)):
            state = self.backbone.cell(x[:, t], state)
            outs.append(state)
        return torch.stack(outs, dim=1), state

    def forward(self, tokens):
        x = self.backbone.embed(tokens) + self.prompt
        feats, state = self.read(x, self.carry)
        self.carry = state  # <- culprit
        return self.backbone.head(feats) + self.tag_bias


def accuracy(logits, tags):
    return (logits.argmax(-1) == tags).float().mean().item()


def fit(tagger, tokens, tags):
    params = [p for p in tagger.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(params, lr=cfg["lr"], weight_decay=0.0)
    tagger.start_document(tokens.size(0))
    run = []
    for step, (x, y) in enumerate(windows(tokens, tags, cfg["window"])):
        logits = tagger(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        run.append((loss.item(), accuracy(logits, y)))
        if (step + 1) % 11 == 0:
            l, a = map(lambda v: sum(v) / len(v), zip(*run[-11:]))
            print(f"step {step + 1:4d} | loss {l:.3f} | acc {a:.3f}")
    return run


if __name__ == "__main__":
    torch.manual_seed(42)
    tokens, tags = synth_corpus(cfg["window"] * cfg["steps"])
    model = PromptTagger(Backbone())
    print("trainable:", sum(p.numel() for p in model.parameters() if p.requires_grad))
    fit(model, tokens, tags)
