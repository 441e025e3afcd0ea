# gradwatch-corpus: kind=none
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class KeyQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("bank", F.normalize(torch.randn(size, dim), dim=1))
        self.register_buffer("center", torch.zeros(dim))
        self.ptr = 0

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        self.bank[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % self.bank.size(0)
        self.center = 0.9 * self.center + 0.1 * keys.mean(0)

    def negatives(self):
        return self.bank.clone()


class MoCo(nn.Module):
    def __init__(self, d_in, dim=16, size=256, m=0.97, tau=0.2):
        super().__init__()
        self.m, self.tau = m, tau
        self.q_enc = nn.Sequential(nn.Linear(d_in, 48), nn.ReLU(), nn.Linear(48, dim))
        self.k_enc = copy.deepcopy(self.q_enc).requires_grad_(False)
        self.queue = KeyQueue(size, dim)

    @torch.no_grad()
    def momentum_update(self):
        for pk, pq in zip(self.k_enc.parameters(), self.q_enc.parameters()):
            pk.mul_(self.m).add_(pq, alpha=1 - self.m)

    def forward(self, xq, xk):
        q = F.normalize(self.q_enc(xq), dim=1)
        with torch.no_grad():
            self.momentum_update()
            k = F.normalize(self.k_enc(xk), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.negatives().t()
        logits = torch.cat([pos, neg], 1) / self.tau
        self.queue.enqueue(k)
        return logits


class Recorder:
    """Hidden activations of the last step, and the latest norms of their gradients."""

    def __init__(self, module, window=20):
        self.features = {}
        self.grad_norms = deque(maxlen=window)
        module.register_forward_hook(self.on_forward)

    def on_forward(self, module, args, out):
        self.features["hidden"] = out
        if out.requires_grad:
            out.register_hook(lambda g: self.grad_norms.append(g.norm()))

    def describe(self):
        h = self.features["hidden"].detach()
        return f"active {(h > 0).float().mean():.2f} grad {torch.stack(list(self.grad_norms)).mean():.4f}"


def augment(x):
    return x * (torch.rand_like(x) > 0.2) + 0.1 * torch.randn_like(x)


def main():
    torch.manual_seed(20)
    protos = torch.randn(30, 32)
    model = MoCo(32)
    recorder = Recorder(model.q_enc[1])
    opt = torch.optim.SGD(model.q_enc.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 160)
    top1, window = deque(maxlen=50), []
    for step in range(160):
        x = protos[torch.randint(0, 30, (16,))] + 0.3 * torch.randn(16, 32)
        logits = model(augment(x), augment(x))
        loss = F.cross_entropy(logits, torch.zeros(16, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        top1.append((logits.argmax(1) == 0).float().mean().item())
        window.append(loss.detach())
        if (step + 1) % 40 == 0:
            print(f"step {step + 1} loss {torch.stack(window).mean():.4f} top1 {sum(top1) / len(top1):.3f} "
                  f"{recorder.describe()}")
            window.clear()


if __name__ == "__main__":
    main()
