# gradwatch-corpus: kind=inplace-modified
# first-bad: 10
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

cfg = dict(dim=24, queue=512, batch=32, momentum=0.98, tau=0.15, warmup=10, steps=120, lr=0.05)


def encoder(n_in=20, width=64, dim=24):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.ReLU(inplace=True),
        nn.Linear(width, width), nn.ReLU(inplace=True),
        nn.Linear(width, dim),
    )


class MoCo(nn.Module):
    def __init__(self, base, c):
        super().__init__()
        self.c = c
        self.q_net = base
        self.k_net = copy.deepcopy(base).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(c["queue"], c["dim"]), dim=1))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def follow(self):
        for pk, pq in zip(self.k_net.parameters(), self.q_net.parameters()):
            pk.lerp_(pq, 1 - self.c["momentum"])

    @torch.no_grad()
    def enqueue(self, keys):
        at, n = int(self.ptr), keys.size(0)
        self.queue[at: at + n] = keys  # <- culprit
        self.ptr[0] = (at + n) % self.c["queue"]

    def forward(self, view_q, view_k, use_queue):
        q = F.normalize(self.q_net(view_q), dim=1)
        with torch.no_grad():
            self.follow()
            k = F.normalize(self.k_net(view_k), dim=1)
        if use_queue:
            pos = (q * k).sum(1, keepdim=True)
            neg = q @ self.queue.detach().t()  # <- culprit
            logits = torch.cat([pos, neg], dim=1)
            target = torch.zeros(len(q), dtype=torch.long)
        else:
            logits = q @ k.t()
            target = torch.arange(len(q))
        loss = F.cross_entropy(logits / self.c["tau"], target)
        self.enqueue(k)  # <- culprit
        return loss


class TwoViews(torch.utils.data.Dataset):
    def __init__(self, n=1280, n_in=20, clusters=16):
        centers = torch.randn(clusters, n_in)
        self.label = torch.randint(clusters, (n,))
        self.x = centers[self.label] + 0.4 * torch.randn(n, n_in)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        x = self.x[i]
        return x + 0.2 * torch.randn_like(x), x + 0.2 * torch.randn_like(x)


def main():
    torch.manual_seed(4)
    loader = torch.utils.data.DataLoader(
        TwoViews(), batch_size=cfg["batch"], shuffle=True, drop_last=True)
    model = MoCo(encoder(dim=cfg["dim"]), cfg)
    opt = torch.optim.SGD(model.q_net.parameters(), lr=cfg["lr"], momentum=0.9, weight_decay=1e-4)
    step = 0
    while step < cfg["steps"]:
        for a, b in loader:
            loss = model(a, b, use_queue=step >= cfg["warmup"])
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            if step % 5 == 0:
                print(f"step {step} loss {loss.item():.4f} queue at {int(model.ptr)}")
            if step >= cfg["steps"]:
                break


if __name__ == "__main__":
    main()
