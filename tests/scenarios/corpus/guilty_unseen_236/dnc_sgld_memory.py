# gradwatch-corpus: kind=graph-chain
# holder: self.M | self.r | net.M | net.r
# first-bad: 1
"""Small external-memory network for associative recall, trained with SGLD (hand-written sampler)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

CFG = {
    "slots": 24,
    "width": 16,
    "n_keys": 12,
    "batch": 8,
    "iters": 70,
    "lr": 5e-3,
    "temp": 1e-6,
    "print_every": 14,
}


class MemoryNet(nn.Module):
    def __init__(self, in_dim, out_dim, slots, width):
        super().__init__()
        self.slots = slots
        self.width = width
        self.controller = nn.Sequential(nn.Linear(in_dim + width, 48), nn.Tanh())
        self.heads = nn.ModuleDict(
            {
                "k_read": nn.Linear(48, width),
                "k_write": nn.Linear(48, width),
                "erase": nn.Linear(48, width),
                "add": nn.Linear(48, width),
                "beta": nn.Linear(48, 2),
            }
        )
        self.out = nn.Linear(48 + width, out_dim)
        self.M = None
        self.r = None

    def wipe(self, batch):
        self.M = torch.full((batch, self.slots, self.width), 1e-3) + 0.01 * torch.randn(batch, self.slots, self.width)
        self.r = torch.zeros(batch, self.width)

    def address(self, key, beta):
        sim = torch.einsum("bnw,bw->bn", F.normalize(self.M, dim=-1), F.normalize(key, dim=-1))
        return torch.softmax(F.softplus(beta)[:, None] * sim, dim=-1)

    def forward(self, x):
        c = self.controller(torch.cat([x, self.r], dim=-1))
        beta = self.heads["beta"](c) + 1.0
        w_w = self.address(self.heads["k_write"](c), beta[:, 0])
        erase = torch.sigmoid(self.heads["erase"](c))
        add = torch.tanh(self.heads["add"](c))
        keep = 1.0 - torch.einsum("bn,bw->bnw", w_w, erase)
        self.M = self.M * keep + torch.einsum("bn,bw->bnw", w_w, add)  # <- culprit
        w_r = self.address(self.heads["k_read"](c), beta[:, 1])
        self.r = torch.einsum("bn,bnw->bw", w_r, self.M)  # <- culprit
        return self.out(torch.cat([c, self.r], dim=-1))


class SGLD:
    def __init__(self, params, lr, temp):
        self.params = list(params)
        self.lr = lr
        self.temp = temp

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        scale = math.sqrt(2.0 * self.lr * self.temp)
        for p in self.params:
            if p.grad is None:
                continue
            g = p.grad.data.clamp(-1.0, 1.0)
            p.data = p.data - self.lr * g + scale * torch.randn_like(p.data)


class RecallStream:
    def __init__(self, n_keys, batch):
        self.n_keys = n_keys
        self.batch = batch
        self.table = torch.randint(0, 4, (batch, n_keys))

    def next(self):
        k = torch.randint(0, self.n_keys, (self.batch,))
        label = self.table[torch.arange(self.batch), k]
        show = (torch.rand(self.batch) < 0.5).float()
        value = F.one_hot(label, 4).float() * show[:, None]
        return torch.cat([F.one_hot(k, self.n_keys).float(), value], dim=-1), label


def main():
    torch.manual_seed(5)
    net = MemoryNet(CFG["n_keys"] + 4, 4, CFG["slots"], CFG["width"])
    sampler = SGLD(net.parameters(), CFG["lr"], CFG["temp"])
    stream = RecallStream(CFG["n_keys"], CFG["batch"])
    net.wipe(CFG["batch"])
    running = {"nll": 0.0, "acc": 0.0}
    for it in range(CFG["iters"]):
        x, y = stream.next()
        logits = net(x)
        nll = F.cross_entropy(logits, y)
        sampler.zero_grad()
        nll.backward(retain_graph=True)  # <- culprit
        sampler.step()
        running["nll"] += nll.item()
        running["acc"] += (logits.argmax(-1) == y).float().mean().item()
        if (it + 1) % CFG["print_every"] == 0:
            msg = ", ".join(f"{k} {v / CFG['print_every']:.3f}" for k, v in running.items())
            print(f"[{it + 1}] {msg}")
            running = dict.fromkeys(running, 0.0)


if __name__ == "__main__":
    main()
