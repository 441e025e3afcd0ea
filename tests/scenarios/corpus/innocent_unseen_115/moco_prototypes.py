# gradwatch-corpus: kind=none
"""Momentum contrast with a memory bank and per-class prototypes (10% labels)."""
import argparse
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--iters", type=int, default=320)
parser.add_argument("--queue", type=int, default=256)
parser.add_argument("--dim", type=int, default=16)
parser.add_argument("--m", type=float, default=0.98, help="key encoder momentum")
parser.add_argument("--proto-m", type=float, default=0.9)
parser.add_argument("--tau", type=float, default=0.2)
parser.add_argument("--lam", type=float, default=0.5)
parser.add_argument("--seed", type=int, default=2024)


class Encoder(nn.Module):
    def __init__(self, in_dim, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(in_dim, 48), nn.ReLU(inplace=True), nn.Linear(48, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class MoCo(nn.Module):
    def __init__(self, in_dim, dim, K, m, n_cls, proto_m):
        super().__init__()
        self.K, self.m, self.proto_m = K, m, proto_m
        self.encoder_q = Encoder(in_dim, dim)
        self.encoder_k = copy.deepcopy(self.encoder_q).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))
        self.register_buffer("protos", F.normalize(torch.randn(n_cls, dim), dim=1))
        self.last_q = None

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        for pq, pk in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            pk.data = pk.data * self.m + pq.data * (1.0 - self.m)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        n, ptr = keys.shape[0], int(self.queue_ptr)
        self.queue[:, ptr:ptr + n] = keys.T
        self.queue_ptr[0] = (ptr + n) % self.K

    def forward(self, im_q, im_k):
        q = self.encoder_q(im_q)
        self.last_q = q
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = self.encoder_k(im_k)
        l_pos = torch.einsum("nc,nc->n", q, k).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", q, self.queue.clone().detach())
        self._dequeue_and_enqueue(k)
        return torch.cat([l_pos, l_neg], dim=1)

    def proto_logits(self, y):
        """Pull labelled queries to their prototypes, then move the prototypes."""
        q = self.last_q
        mask = y >= 0
        if not mask.any():
            return None, None
        logits = q[mask] @ self.protos.t()
        feats = q.detach()
        protos = self.protos.clone()
        for c in y[mask].unique():
            protos[c] = self.proto_m * protos[c] + (1 - self.proto_m) * feats[y == c].mean(0)
        self.protos = F.normalize(protos, dim=1)
        return logits, y[mask]


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    n_cls, in_dim = 6, 24
    centers = 1.2 * torch.randn(n_cls, in_dim)
    model = MoCo(in_dim, args.dim, args.queue, args.m, n_cls, args.proto_m)
    opt = torch.optim.SGD(model.encoder_q.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)

    drift, losses = [], {"nce": [], "proto": []}
    for i in range(args.iters):
        y = torch.randint(0, n_cls, (32,))
        x = centers[y] + 0.4 * torch.randn(32, in_dim)
        y_obs = torch.where(torch.rand(32) < 0.1, y, torch.full_like(y, -1))
        before = model.protos

        logits = model(x + 0.3 * torch.randn_like(x), x + 0.3 * torch.randn_like(x))
        loss = F.cross_entropy(logits / args.tau, torch.zeros(32, dtype=torch.long))
        losses["nce"].append(loss.item())
        p_logits, p_y = model.proto_logits(y_obs)
        if p_logits is not None:
            p_loss = F.cross_entropy(p_logits / args.tau, p_y)
            losses["proto"].append(float(p_loss.detach()))
            loss = loss + args.lam * p_loss
        opt.zero_grad()
        loss.backward()
        opt.step()
        drift.append((model.protos - before).norm(dim=1))

        if (i + 1) % 80 == 0:
            with torch.no_grad():
                acc = (model.encoder_q(x) @ model.protos.t()).argmax(1).eq(y).float().mean().item()
            print(f"[{i + 1}] nce {sum(losses['nce'][-100:]) / 100:.3f} "
                  f"proto {sum(losses['proto'][-50:]) / 50:.3f} "
                  f"drift {torch.stack(drift[-100:]).mean().item():.4f} acc {acc:.2f}")


if __name__ == "__main__":
    main()
