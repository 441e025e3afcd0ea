# gradwatch-corpus: kind=graph-chain
# holder: self.ref | tether.ref | self.pull.ref | plug.ref | ref
# first-bad: 1
# notice: 5
"""Fine-tuning a small causal LM with a slow tether on its weights."""
import torch
from torch import nn
import torch.nn.functional as F

from plugs import Clip, Hub, Tether

torch.set_num_threads(1)
torch.manual_seed(61)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ln = nn.LayerNorm(d)
        self.qkv = nn.Linear(d, 3 * d)
        self.mix = nn.Linear(d, d)

    def forward(self, x):
        q, k, v = self.qkv(self.ln(x)).chunk(3, -1)
        return x + self.mix(F.scaled_dot_product_attention(q, k, v, is_causal=True))


class TinyLM(nn.Module):
    def __init__(self, vocab=40, d=24, depth=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.blocks = nn.Sequential(*[Block(d) for _ in range(depth)])
        self.head = nn.Linear(d, vocab)

    def forward(self, ids):
        return self.head(self.blocks(self.tok(ids)))


def corpus(steps, vocab=40, length=16, batch=6):
    rule = torch.randperm(vocab)
    for _ in range(steps):
        ids = torch.randint(vocab, (batch, 1))
        for _ in range(length):
            nxt = rule[ids[:, -1:]]
            noise = torch.rand(batch, 1) < 0.1
            ids = torch.cat([ids, torch.where(noise, torch.randint(vocab, (batch, 1)), nxt)], 1)
        yield ids


def main():
    net = TinyLM()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    hub = Hub([Tether(net, strength=0.05, rate=0.02), Clip(net, 1.0)])
    for k, ids in enumerate(corpus(90)):
        logits = net(ids[:, :-1])
        ce = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        loss = hub.fold("loss", ce)
        opt.zero_grad()
        loss.backward()
        hub.call("grads")
        opt.step()
        hub.call("stepped")
        if k % 30 == 29:
            print(k, f"ce {ce.item():.4f} total {loss.item():.4f}")


if __name__ == "__main__":
    main()
